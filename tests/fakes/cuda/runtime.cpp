// SPDX-License-Identifier: GPL-3.0-or-later
// The CUDA runtime without a card: memory, streams and events are there, kernels are counted and do nothing.
#include "card.h"
#include "late.h"
#include "tally.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime_api.h>
#include <map>

namespace {

using Clock = std::chrono::steady_clock;

struct Event {
  Clock::time_point recorded = Clock::now();
  cudaStream_t stream = nullptr;
  std::size_t pieces = 0;   // of work in the stream before it
  std::size_t kernels = 0;  // before it, in all streams
};

thread_local cudaError_t lastError = cudaSuccess;
thread_local int currentDevice = 0;

cudaError_t answer(cudaError_t code) {
  if (code != cudaSuccess) lastError = code;
  return code;
}

int deviceCount() {
  const char* asked = std::getenv("FAKE_CUDA_DEVICES");
  return asked && *asked ? std::atoi(asked) : 1;
}

Event* eventOf(cudaEvent_t handle) { return reinterpret_cast<Event*>(handle); }

const char* wayOf(const void* to, const void* from) {
  const bool out = fake_cuda::onCard(from), in = fake_cuda::onCard(to);
  return out && in ? "on the card" : in ? "to the card" : out ? "to the host" : "on the host";
}

cudaError_t copied(void* to, const void* from, std::size_t bytes) {
  fake_cuda::countCopy(wayOf(to, from), bytes);
  fake_cuda::copy(to, from, bytes);
  return cudaSuccess;
}

cudaError_t waited(const char* call, std::size_t behind = 0) {
  fake_cuda::countWait(call, behind);
  return cudaSuccess;
}

}  // namespace

extern "C" {

// ---- devices

cudaError_t cudaGetDeviceCount(int* count) {
  *count = deviceCount();
  return cudaSuccess;
}

cudaError_t cudaGetDevice(int* device) {
  *device = currentDevice;
  return cudaSuccess;
}

cudaError_t cudaSetDevice(int device) {
  if (device < 0 || device >= deviceCount()) return answer(cudaErrorInvalidDevice);
  currentDevice = device;
  return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int* version) {
  *version = 13000;
  return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = 13000;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  if (device >= deviceCount()) return answer(cudaErrorInvalidDevice);
  *properties = {};
  std::snprintf(properties->name, sizeof properties->name, "no card (as an H200)");
  properties->totalGlobalMem = fake_cuda::cardBytes();
  properties->sharedMemPerBlock = 48 << 10;
  properties->sharedMemPerBlockOptin = 227 << 10;
  properties->sharedMemPerMultiprocessor = 228 << 10;
  properties->regsPerBlock = properties->regsPerMultiprocessor = 65536;
  properties->warpSize = 32;
  properties->maxThreadsPerBlock = 1024;
  properties->maxThreadsPerMultiProcessor = 2048;
  properties->maxBlocksPerMultiProcessor = 32;
  properties->maxThreadsDim[0] = properties->maxThreadsDim[1] = 1024;
  properties->maxThreadsDim[2] = 64;
  properties->maxGridSize[0] = 2147483647;
  properties->maxGridSize[1] = properties->maxGridSize[2] = 65535;
  properties->textureAlignment = 512;
  properties->major = 9;
  properties->multiProcessorCount = 132;
  properties->unifiedAddressing = 1;
  properties->l2CacheSize = 50 << 20;
  properties->memoryBusWidth = 6144;
  properties->asyncEngineCount = 3;
  properties->concurrentKernels = 1;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
  static const std::map<cudaDeviceAttr, int> values = {
      {cudaDevAttrMaxThreadsPerBlock, 1024},
      {cudaDevAttrMaxSharedMemoryPerBlock, 48 << 10},
      {cudaDevAttrMaxSharedMemoryPerBlockOptin, 227 << 10},
      {cudaDevAttrMaxSharedMemoryPerMultiprocessor, 228 << 10},
      {cudaDevAttrWarpSize, 32},
      {cudaDevAttrMultiProcessorCount, 132},
      {cudaDevAttrMaxThreadsPerMultiProcessor, 2048},
      {cudaDevAttrMaxBlocksPerMultiprocessor, 32},
      {cudaDevAttrComputeCapabilityMajor, 9},
      {cudaDevAttrMaxGridDimX, 2147483647},
      {cudaDevAttrMaxGridDimY, 65535},
      {cudaDevAttrMaxGridDimZ, 65535},
      {cudaDevAttrL2CacheSize, 50 << 20},
      {cudaDevAttrMaxRegistersPerBlock, 65536},
  };
  const auto found = values.find(attribute);
  *value = found == values.end() ? 0 : found->second;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetPCIBusId(char* text, int size, int device) {
  std::snprintf(text, static_cast<std::size_t>(size), "0000:%02x:00.0", device + 1);
  return cudaSuccess;
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  *least = 0;
  *greatest = -5;
  return cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int, int) {
  *can = 0;
  return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize() {
  if (fake_cuda::broken()) return cudaErrorIllegalAddress;
  fake_cuda::completeAll();
  return waited("cudaDeviceSynchronize");
}

cudaError_t cudaGetLastError() {
  if (fake_cuda::broken()) return cudaErrorIllegalAddress;
  const cudaError_t code = lastError;
  lastError = cudaSuccess;
  return code;
}

cudaError_t cudaPeekAtLastError() { return fake_cuda::broken() ? cudaErrorIllegalAddress : lastError; }

// ---- memory

cudaError_t cudaMalloc(void** address, std::size_t bytes) {
  *address = bytes == 0 ? nullptr : fake_cuda::allocate(bytes);
  return bytes == 0 || *address ? cudaSuccess : answer(cudaErrorMemoryAllocation);
}

cudaError_t cudaFree(void* address) {
  if (!address) return cudaSuccess;
  waited("cudaFree");
  return fake_cuda::release(address) ? cudaSuccess : answer(cudaErrorInvalidValue);
}

cudaError_t cudaHostAlloc(void** address, std::size_t bytes, unsigned) {
  *address = fake_cuda::allocatePinned(bytes);
  return *address ? cudaSuccess : answer(cudaErrorMemoryAllocation);
}

cudaError_t cudaFreeHost(void* address) {
  return fake_cuda::releasePinned(address) ? cudaSuccess : answer(cudaErrorInvalidValue);
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  *free = fake_cuda::freeBytes();
  *total = fake_cuda::cardBytes();
  return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* address) {
  *attributes = {};
  const bool device = fake_cuda::onCard(address), host = fake_cuda::pinned(address);
  attributes->type = device ? cudaMemoryTypeDevice : host ? cudaMemoryTypeHost : cudaMemoryTypeUnregistered;
  attributes->device = device || host ? currentDevice : -2;
  attributes->devicePointer = device || host ? const_cast<void*>(address) : nullptr;
  attributes->hostPointer = device ? nullptr : const_cast<void*>(address);
  return cudaSuccess;
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind) {
  fake_cuda::completeAll();
  waited("cudaMemcpy");
  return copied(to, from, bytes);
}

// From memory that is not pinned the host waits until it has been read. What goes to such memory torch waits for
// itself.
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind, cudaStream_t stream) {
  if (fake_cuda::broken()) return cudaErrorIllegalAddress;
  fake_cuda::complete(stream);
  if (fake_cuda::onCard(to) && !fake_cuda::onCard(from) && !fake_cuda::pinned(from))
    waited("cudaMemcpyAsync from memory that is not pinned");
  return copied(to, from, bytes);
}

cudaError_t cudaMemset(void* at, int value, std::size_t bytes) {
  fake_cuda::fill(at, value, bytes);
  return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void* at, int value, std::size_t bytes, cudaStream_t stream) {
  if (fake_cuda::broken()) return cudaErrorIllegalAddress;
  fake_cuda::complete(stream);
  fake_cuda::countCopy("set", bytes);
  fake_cuda::fill(at, value, bytes);
  return cudaSuccess;
}

// ---- streams and events

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned, int) {
  *stream = reinterpret_cast<cudaStream_t>(new int(0));
  return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  delete reinterpret_cast<int*>(stream);
  return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  if (fake_cuda::broken()) return cudaErrorIllegalAddress;
  fake_cuda::complete(stream);
  return waited("cudaStreamSynchronize");
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  if (fake_cuda::broken()) return cudaErrorIllegalAddress;
  return fake_cuda::happened(stream, fake_cuda::asked(stream)) ? cudaSuccess : cudaErrorNotReady;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t event, unsigned) {
  fake_cuda::complete(eventOf(event)->stream, eventOf(event)->pieces);
  return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t, cudaStreamCaptureStatus* status) {
  *status = cudaStreamCaptureStatusNone;
  return cudaSuccess;
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t, cudaStreamCaptureStatus* status, unsigned long long* id,
                                     cudaGraph_t* graph, const cudaGraphNode_t** nodes, const cudaGraphEdgeData** edges,
                                     std::size_t* count) {
  *status = cudaStreamCaptureStatusNone;
  if (id) *id = 0;
  if (graph) *graph = nullptr;
  if (nodes) *nodes = nullptr;
  if (edges) *edges = nullptr;
  if (count) *count = 0;
  return cudaSuccess;
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode*) { return cudaSuccess; }

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  *event = reinterpret_cast<cudaEvent_t>(new Event);
  return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, 0); }

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete eventOf(event);
  return cudaSuccess;
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned) {
  if (fake_cuda::broken()) return cudaErrorIllegalAddress;
  *eventOf(event) = {Clock::now(), stream, fake_cuda::asked(stream), fake_cuda::kernelsSoFar()};
  return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return cudaEventRecordWithFlags(event, stream, 0);
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  if (fake_cuda::broken()) return cudaErrorIllegalAddress;
  return fake_cuda::happened(eventOf(event)->stream, eventOf(event)->pieces) ? cudaSuccess : cudaErrorNotReady;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  if (fake_cuda::broken()) return cudaErrorIllegalAddress;
  fake_cuda::complete(eventOf(event)->stream, eventOf(event)->pieces);
  return waited("cudaEventSynchronize", fake_cuda::kernelsSoFar() - eventOf(event)->kernels);
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  *milliseconds = std::chrono::duration<float, std::milli>(eventOf(end)->recorded - eventOf(start)->recorded).count();
  return cudaSuccess;
}

}  // extern "C"
