// SPDX-License-Identifier: GPL-3.0-or-later
// Products of matrices: counted, and worked out where numbers are.
#include "products.h"

#include <cstdint>
#include <cstring>
#include <cublasLt.h>
#include <cublas_v2.h>

namespace {

using fake_cuda::Matrix;

struct Layout {
  cudaDataType type = CUDA_R_32F;
  long long rows = 0, columns = 0, leading = 0, batch = 1, stride = 0;
};

struct Product {
  bool transposedA = false, transposedB = false;
  std::uint32_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  const void* bias = nullptr;
};

Layout* layoutOf(cublasLtMatrixLayout_t handle) { return reinterpret_cast<Layout*>(handle); }
Product* productOf(cublasLtMatmulDesc_t handle) { return reinterpret_cast<Product*>(handle); }

Matrix matrix(const void* at, cudaDataType type, cublasOperation_t operation, long long leading, long long stride = 0) {
  return {const_cast<void*>(at), type, leading, stride, operation != CUBLAS_OP_N};
}

Matrix matrix(const void* at, const Layout& layout, bool transposed = false) {
  return {const_cast<void*>(at), layout.type, layout.leading, layout.stride, transposed};
}

float valueOf(const void* scalar) { return *static_cast<const float*>(scalar); }

cublasStatus_t done(const fake_cuda::Sizes& sizes, const void* alpha, const Matrix& a, const Matrix& b,
                    const void* beta, const Matrix& c, const Matrix& d, const void* bias = nullptr) {
  return fake_cuda::product(sizes, valueOf(alpha), a, b, valueOf(beta), c, d, bias) ? CUBLAS_STATUS_SUCCESS
                                                                                    : CUBLAS_STATUS_NOT_SUPPORTED;
}

}  // namespace

extern "C" {

cublasStatus_t cublasCreate_v2(cublasHandle_t* handle) {
  *handle = reinterpret_cast<cublasHandle_t>(new cublasMath_t(CUBLAS_DEFAULT_MATH));
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
  delete reinterpret_cast<cublasMath_t*>(handle);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetStream_v2(cublasHandle_t, cudaStream_t) { return CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t, void*, std::size_t) { return CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t, cublasPointerMode_t) { return CUBLAS_STATUS_SUCCESS; }

cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t, cublasPointerMode_t* mode) {
  *mode = CUBLAS_POINTER_MODE_HOST;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode) {
  *reinterpret_cast<cublasMath_t*>(handle) = mode;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode) {
  *mode = *reinterpret_cast<cublasMath_t*>(handle);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t, cublasOperation_t ofA, cublasOperation_t ofB, int m, int n,
                                          int k, const void* alpha, const void* a, cudaDataType typeA, int leadingA,
                                          long long strideA, const void* b, cudaDataType typeB, int leadingB,
                                          long long strideB, const void* beta, void* c, cudaDataType typeC,
                                          int leadingC, long long strideC, int batch, cublasComputeType_t,
                                          cublasGemmAlgo_t) {
  const auto out = matrix(c, typeC, CUBLAS_OP_N, leadingC, strideC);
  return done({m, n, k, batch}, alpha, matrix(a, typeA, ofA, leadingA, strideA),
              matrix(b, typeB, ofB, leadingB, strideB), beta, out, out);
}

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t ofA, cublasOperation_t ofB, int m, int n, int k,
                            const void* alpha, const void* a, cudaDataType typeA, int leadingA, const void* b,
                            cudaDataType typeB, int leadingB, const void* beta, void* c, cudaDataType typeC,
                            int leadingC, cublasComputeType_t compute, cublasGemmAlgo_t algorithm) {
  return cublasGemmStridedBatchedEx(handle, ofA, ofB, m, n, k, alpha, a, typeA, leadingA, 0, b, typeB, leadingB, 0,
                                    beta, c, typeC, leadingC, 0, 1, compute, algorithm);
}

cublasStatus_t cublasSgemmStridedBatched(cublasHandle_t handle, cublasOperation_t ofA, cublasOperation_t ofB, int m,
                                         int n, int k, const float* alpha, const float* a, int leadingA,
                                         long long strideA, const float* b, int leadingB, long long strideB,
                                         const float* beta, float* c, int leadingC, long long strideC, int batch) {
  return cublasGemmStridedBatchedEx(handle, ofA, ofB, m, n, k, alpha, a, CUDA_R_32F, leadingA, strideA, b, CUDA_R_32F,
                                    leadingB, strideB, beta, c, CUDA_R_32F, leadingC, strideC, batch,
                                    CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
}

cublasStatus_t cublasSgemm_v2(cublasHandle_t handle, cublasOperation_t ofA, cublasOperation_t ofB, int m, int n, int k,
                              const float* alpha, const float* a, int leadingA, const float* b, int leadingB,
                              const float* beta, float* c, int leadingC) {
  return cublasSgemmStridedBatched(handle, ofA, ofB, m, n, k, alpha, a, leadingA, 0, b, leadingB, 0, beta, c, leadingC,
                                   0, 1);
}

// Vectors with gaps are matrices of one row.
cublasStatus_t cublasSgemv_v2(cublasHandle_t, cublasOperation_t ofA, int rows, int columns, const float* alpha,
                              const float* a, int leading, const float* x, int stepX, const float* beta, float* y,
                              int stepY) {
  const bool turned = ofA != CUBLAS_OP_N;
  const Matrix out{y, CUDA_R_32F, stepY, 0, true};
  return done({turned ? columns : rows, 1, turned ? rows : columns, 1}, alpha, matrix(a, CUDA_R_32F, ofA, leading),
              {const_cast<float*>(x), CUDA_R_32F, stepX, 0, true}, beta, out, out);
}

cublasStatus_t cublasDotEx(cublasHandle_t, int n, const void* x, cudaDataType typeX, int stepX, const void* y,
                           cudaDataType typeY, int stepY, void* result, cudaDataType typeResult, cudaDataType) {
  constexpr float kOne = 1, kNone = 0;
  const Matrix out{result, typeResult, 1, 0, false};
  return done({1, 1, n, 1}, &kOne, {const_cast<void*>(x), typeX, stepX, 0, false},
              {const_cast<void*>(y), typeY, stepY, 0, true}, &kNone, out, out);
}

cublasStatus_t cublasSdot_v2(cublasHandle_t handle, int n, const float* x, int stepX, const float* y, int stepY,
                             float* result) {
  return cublasDotEx(handle, n, x, CUDA_R_32F, stepX, y, CUDA_R_32F, stepY, result, CUDA_R_32F, CUDA_R_32F);
}

std::size_t cublasLtGetVersion() { return 130100; }

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* product, cublasComputeType_t, cudaDataType_t) {
  *product = reinterpret_cast<cublasLtMatmulDesc_t>(new Product);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t product) {
  delete productOf(product);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t handle, cublasLtMatmulDescAttributes_t attribute,
                                              const void* value, std::size_t) {
  Product& product = *productOf(handle);
  switch (attribute) {
    case CUBLASLT_MATMUL_DESC_TRANSA:
      product.transposedA = *static_cast<const std::int32_t*>(value) != CUBLAS_OP_N;
      break;
    case CUBLASLT_MATMUL_DESC_TRANSB:
      product.transposedB = *static_cast<const std::int32_t*>(value) != CUBLAS_OP_N;
      break;
    case CUBLASLT_MATMUL_DESC_EPILOGUE: std::memcpy(&product.epilogue, value, sizeof product.epilogue); break;
    case CUBLASLT_MATMUL_DESC_BIAS_POINTER: std::memcpy(&product.bias, value, sizeof product.bias); break;
    default: break;
  }
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* layout, cudaDataType type, std::uint64_t rows,
                                          std::uint64_t columns, std::int64_t leading) {
  *layout = reinterpret_cast<cublasLtMatrixLayout_t>(
      new Layout{type, static_cast<long long>(rows), static_cast<long long>(columns), leading});
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) {
  delete layoutOf(layout);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout,
                                                cublasLtMatrixLayoutAttribute_t attribute, const void* value,
                                                std::size_t) {
  if (attribute == CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT)
    layoutOf(layout)->batch = *static_cast<const std::int32_t*>(value);
  else if (attribute == CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET)
    layoutOf(layout)->stride = *static_cast<const std::int64_t*>(value);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* preference) {
  *preference = reinterpret_cast<cublasLtMatmulPreference_t>(new int(0));
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference) {
  delete reinterpret_cast<int*>(preference);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t, cublasLtMatmulPreferenceAttributes_t,
                                                    const void*, std::size_t) {
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t, cublasLtMatmulDesc_t, cublasLtMatrixLayout_t,
                                              cublasLtMatrixLayout_t, cublasLtMatrixLayout_t, cublasLtMatrixLayout_t,
                                              cublasLtMatmulPreference_t, int, cublasLtMatmulHeuristicResult_t* results,
                                              int* count) {
  results[0] = {};
  results[0].state = CUBLAS_STATUS_SUCCESS;
  *count = 1;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t, cublasLtMatmulDesc_t handle, const void* alpha, const void* a,
                              cublasLtMatrixLayout_t ofA, const void* b, cublasLtMatrixLayout_t ofB, const void* beta,
                              const void* c, cublasLtMatrixLayout_t ofC, void* d, cublasLtMatrixLayout_t ofD,
                              const cublasLtMatmulAlgo_t*, void*, std::size_t, cudaStream_t) {
  const Product& product = *productOf(handle);
  const Layout &left = *layoutOf(ofA), &out = *layoutOf(ofD);
  const bool biased = product.epilogue == CUBLASLT_EPILOGUE_BIAS;
  if (!biased && product.epilogue != CUBLASLT_EPILOGUE_DEFAULT) return CUBLAS_STATUS_NOT_SUPPORTED;
  return done({out.rows, out.columns, product.transposedA ? left.rows : left.columns, out.batch}, alpha,
              matrix(a, left, product.transposedA), matrix(b, *layoutOf(ofB), product.transposedB), beta,
              matrix(c, *layoutOf(ofC)), matrix(d, out), biased ? product.bias : nullptr);
}

}  // extern "C"
