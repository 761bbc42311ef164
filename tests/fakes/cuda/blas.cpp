// SPDX-License-Identifier: GPL-3.0-or-later
// Products of matrices that are counted and not worked out.
#include "tally.h"

#include <cstdint>
#include <cstring>
#include <cublasLt.h>
#include <cublas_v2.h>

namespace {

struct Layout {
  double rows = 0, columns = 0, batch = 1;
};

struct Product {
  bool transposed = false;
};

Layout* layoutOf(cublasLtMatrixLayout_t handle) { return reinterpret_cast<Layout*>(handle); }
Product* productOf(cublasLtMatmulDesc_t handle) { return reinterpret_cast<Product*>(handle); }

cublasStatus_t counted(double m, double n, double k, double batch = 1) {
  fake_cuda::countProduct(m, n, k, batch);
  return CUBLAS_STATUS_SUCCESS;
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

cublasStatus_t cublasGemmEx(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n, int k, const void*,
                            const void*, cudaDataType, int, const void*, cudaDataType, int, const void*, void*,
                            cudaDataType, int, cublasComputeType_t, cublasGemmAlgo_t) {
  return counted(m, n, k);
}

cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n, int k,
                                          const void*, const void*, cudaDataType, int, long long, const void*,
                                          cudaDataType, int, long long, const void*, void*, cudaDataType, int,
                                          long long, int batch, cublasComputeType_t, cublasGemmAlgo_t) {
  return counted(m, n, k, batch);
}

cublasStatus_t cublasSgemm_v2(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n, int k, const float*,
                              const float*, int, const float*, int, const float*, float*, int) {
  return counted(m, n, k);
}

cublasStatus_t cublasSgemmStridedBatched(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n, int k,
                                         const float*, const float*, int, long long, const float*, int, long long,
                                         const float*, float*, int, long long, int batch) {
  return counted(m, n, k, batch);
}

cublasStatus_t cublasSgemv_v2(cublasHandle_t, cublasOperation_t, int m, int n, const float*, const float*, int,
                              const float*, int, const float*, float*, int) {
  return counted(m, n, 1);
}

cublasStatus_t cublasSdot_v2(cublasHandle_t, int n, const float*, int, const float*, int, float*) {
  return counted(1, 1, n);
}

cublasStatus_t cublasDotEx(cublasHandle_t, int n, const void*, cudaDataType, int, const void*, cudaDataType, int, void*,
                           cudaDataType, cudaDataType) {
  return counted(1, 1, n);
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

cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t product, cublasLtMatmulDescAttributes_t attribute,
                                              const void* value, std::size_t) {
  std::int32_t operation = 0;
  if (attribute == CUBLASLT_MATMUL_DESC_TRANSA) {
    std::memcpy(&operation, value, sizeof operation);
    productOf(product)->transposed = operation != CUBLAS_OP_N;
  }
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* layout, cudaDataType, std::uint64_t rows,
                                          std::uint64_t columns, std::int64_t) {
  *layout =
      reinterpret_cast<cublasLtMatrixLayout_t>(new Layout{static_cast<double>(rows), static_cast<double>(columns), 1});
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) {
  delete layoutOf(layout);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout,
                                                cublasLtMatrixLayoutAttribute_t attribute, const void* value,
                                                std::size_t) {
  std::int32_t count = 1;
  if (attribute == CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT) {
    std::memcpy(&count, value, sizeof count);
    layoutOf(layout)->batch = count;
  }
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

cublasStatus_t cublasLtMatmul(cublasLtHandle_t, cublasLtMatmulDesc_t product, const void*, const void*,
                              cublasLtMatrixLayout_t a, const void*, cublasLtMatrixLayout_t, const void*, const void*,
                              cublasLtMatrixLayout_t, void*, cublasLtMatrixLayout_t d, const cublasLtMatmulAlgo_t*,
                              void*, std::size_t, cudaStream_t) {
  const Layout& left = *layoutOf(a);
  return counted(layoutOf(d)->rows, layoutOf(d)->columns, productOf(product)->transposed ? left.rows : left.columns,
                 layoutOf(d)->batch);
}

}  // extern "C"
