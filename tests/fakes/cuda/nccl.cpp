// SPDX-License-Identifier: GPL-3.0-or-later
// Exchanges between cards that are none: counted, and over at once.
#include "tally.h"

#include <cstring>
#include <nccl.h>

namespace {

struct Ranks {
  int count = 1, rank = 0;
};

Ranks* ranksOf(ncclComm_t handle) { return reinterpret_cast<Ranks*>(handle); }

std::size_t bytesOf(std::size_t count, ncclDataType_t type) {
  switch (type) {
    case ncclFloat16:
    case ncclBfloat16: return 2 * count;
    case ncclInt32:
    case ncclUint32:
    case ncclFloat32: return 4 * count;
    case ncclInt64:
    case ncclUint64:
    case ncclFloat64: return 8 * count;
    default: return count;
  }
}

ncclResult_t counted(const char* call, std::size_t count, ncclDataType_t type) {
  fake_cuda::countCopy(call, bytesOf(count, type));
  return ncclSuccess;
}

ncclResult_t joined(ncclComm_t* handle, int count, int rank) {
  *handle = reinterpret_cast<ncclComm_t>(new Ranks{count, rank});
  return ncclSuccess;
}

ncclResult_t left(ncclComm_t handle) {
  delete ranksOf(handle);
  return ncclSuccess;
}

}  // namespace

extern "C" {

ncclResult_t ncclGetVersion(int* version) {
  *version = NCCL_VERSION_CODE;
  return ncclSuccess;
}

ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
  std::memset(id, 7, sizeof *id);
  return ncclSuccess;
}

ncclResult_t ncclCommInitRank(ncclComm_t* handle, int count, ncclUniqueId, int rank) {
  return joined(handle, count, rank);
}

ncclResult_t ncclCommInitRankConfig(ncclComm_t* handle, int count, ncclUniqueId, int rank, ncclConfig_t*) {
  return joined(handle, count, rank);
}

ncclResult_t ncclCommInitRankScalable(ncclComm_t* handle, int count, int rank, int, ncclUniqueId*, ncclConfig_t*) {
  return joined(handle, count, rank);
}

ncclResult_t ncclCommCount(const ncclComm_t handle, int* count) {
  *count = ranksOf(handle)->count;
  return ncclSuccess;
}

ncclResult_t ncclCommUserRank(const ncclComm_t handle, int* rank) {
  *rank = ranksOf(handle)->rank;
  return ncclSuccess;
}

ncclResult_t ncclCommGetAsyncError(ncclComm_t, ncclResult_t* error) {
  *error = ncclSuccess;
  return ncclSuccess;
}

ncclResult_t ncclCommFinalize(ncclComm_t) { return ncclSuccess; }
ncclResult_t ncclCommDestroy(ncclComm_t handle) { return left(handle); }
ncclResult_t ncclCommAbort(ncclComm_t handle) { return left(handle); }
ncclResult_t ncclGroupStart() { return ncclSuccess; }
ncclResult_t ncclGroupEnd() { return ncclSuccess; }
const char* ncclGetErrorString(ncclResult_t) { return "no error of NCCL's own"; }
const char* ncclGetLastError(ncclComm_t) { return ""; }

ncclResult_t ncclAllReduce(const void*, void*, std::size_t count, ncclDataType_t type, ncclRedOp_t, ncclComm_t,
                           cudaStream_t) {
  return counted("ncclAllReduce", count, type);
}

ncclResult_t ncclBroadcast(const void*, void*, std::size_t count, ncclDataType_t type, int, ncclComm_t, cudaStream_t) {
  return counted("ncclBroadcast", count, type);
}

ncclResult_t ncclBcast(void*, std::size_t count, ncclDataType_t type, int, ncclComm_t, cudaStream_t) {
  return counted("ncclBroadcast", count, type);
}

ncclResult_t ncclAllGather(const void*, void*, std::size_t count, ncclDataType_t type, ncclComm_t, cudaStream_t) {
  return counted("ncclAllGather", count, type);
}

ncclResult_t ncclReduceScatter(const void*, void*, std::size_t count, ncclDataType_t type, ncclRedOp_t, ncclComm_t,
                               cudaStream_t) {
  return counted("ncclReduceScatter", count, type);
}

ncclResult_t ncclAlltoAll(const void*, void*, std::size_t count, ncclDataType_t type, ncclComm_t, cudaStream_t) {
  return counted("ncclAlltoAll", count, type);
}

ncclResult_t ncclSend(const void*, std::size_t count, ncclDataType_t type, int, ncclComm_t, cudaStream_t) {
  return counted("ncclSend", count, type);
}

ncclResult_t ncclRecv(void*, std::size_t count, ncclDataType_t type, int, ncclComm_t, cudaStream_t) {
  return counted("ncclRecv", count, type);
}

}  // extern "C"
