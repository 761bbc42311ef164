// SPDX-License-Identifier: GPL-3.0-or-later
// The few calls of the driver that torch's allocator makes for segments that grow. All others are refused.
#include "card.h"

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <map>
#include <string_view>

namespace {

CUresult granularity(std::size_t* bytes, const CUmemAllocationProp*, CUmemAllocationGranularity_flags) {
  *bytes = std::size_t{2} << 20;
  return CUDA_SUCCESS;
}

CUresult reserve(CUdeviceptr* address, std::size_t bytes, std::size_t, CUdeviceptr, unsigned long long) {
  *address = reinterpret_cast<CUdeviceptr>(fake_cuda::reserve(bytes));
  return *address ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult unreserve(CUdeviceptr address, std::size_t bytes) {
  fake_cuda::unreserve(reinterpret_cast<void*>(address), bytes);
  return CUDA_SUCCESS;
}

// A handle is the number of bytes behind it.
CUresult create(CUmemGenericAllocationHandle* handle, std::size_t bytes, const CUmemAllocationProp*,
                unsigned long long) {
  if (!fake_cuda::take(bytes)) return CUDA_ERROR_OUT_OF_MEMORY;
  *handle = bytes;
  return CUDA_SUCCESS;
}

CUresult release(CUmemGenericAllocationHandle handle) {
  fake_cuda::give(handle);
  return CUDA_SUCCESS;
}

CUresult map(CUdeviceptr, std::size_t, std::size_t, CUmemGenericAllocationHandle, unsigned long long) {
  return CUDA_SUCCESS;
}

CUresult unmap(CUdeviceptr, std::size_t) { return CUDA_SUCCESS; }

CUresult setAccess(CUdeviceptr, std::size_t, const CUmemAccessDesc*, std::size_t) { return CUDA_SUCCESS; }

CUresult deviceGet(CUdevice* device, int index) {
  *device = index;
  return CUDA_SUCCESS;
}

CUresult deviceAttribute(int* value, CUdevice_attribute, CUdevice) {
  *value = 0;
  return CUDA_SUCCESS;
}

CUresult errorText(CUresult code, const char** words) {
  *words = code == CUDA_ERROR_OUT_OF_MEMORY ? "out of memory" : "not supported by a card that is none";
  return CUDA_SUCCESS;
}

CUresult refused() { return CUDA_ERROR_NOT_SUPPORTED; }

template <class Function>
void* address(Function* function) {
  return reinterpret_cast<void*>(function);
}

void* entryPoint(std::string_view name) {
  static const std::map<std::string_view, void*> entries = {
      {"cuMemGetAllocationGranularity", address(granularity)},
      {"cuMemAddressReserve", address(reserve)},
      {"cuMemAddressFree", address(unreserve)},
      {"cuMemCreate", address(create)},
      {"cuMemRelease", address(release)},
      {"cuMemMap", address(map)},
      {"cuMemUnmap", address(unmap)},
      {"cuMemSetAccess", address(setAccess)},
      {"cuDeviceGet", address(deviceGet)},
      {"cuDeviceGetAttribute", address(deviceAttribute)},
      {"cuGetErrorString", address(errorText)},
  };
  const auto found = entries.find(name);
  return found == entries.end() ? address(refused) : found->second;
}

}  // namespace

extern "C" cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned, unsigned long long,
                                                        cudaDriverEntryPointQueryResult* status) {
  *function = entryPoint(name);
  if (status) *status = cudaDriverEntryPointSuccess;
  return cudaSuccess;
}

// What torch looks up by name.
extern "C" {

CUresult cuDevicePrimaryCtxGetState(CUdevice, unsigned* flags, int* active) {
  *flags = 0;
  *active = 1;
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice) {
  static int one = 0;
  *context = reinterpret_cast<CUcontext>(&one);
  return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext* context) { return cuDevicePrimaryCtxRetain(context, 0); }

CUresult cuCtxSetCurrent(CUcontext) { return CUDA_SUCCESS; }

}  // extern "C"
