// SPDX-License-Identifier: GPL-3.0-or-later
// Exchanges between cards that are none: counted, and over at once. Where numbers are worked out they are passed, by
// the calls that the trainer's group makes; others are refused.
#include "card.h"
#include "core/engine/cuda/portable.h"
#include "exchange.h"
#include "late.h"
#include "tally.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <nccl.h>
#include <random>
#include <type_traits>

namespace {

using namespace roadtune::engine::cuda;

struct Ranks {
  int count = 1, rank = 0;
  std::unique_ptr<fake_cuda::Exchange> exchange = nullptr;  // where numbers are passed
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

// Is there anything left to do after it has been counted?
bool counted(const char* call, std::size_t count, ncclDataType_t type) {
  fake_cuda::countCopy(call, bytesOf(count, type));
  return fake_cuda::numbers();
}

ncclResult_t countedAlone(const char* call, std::size_t count, ncclDataType_t type) {
  return counted(call, count, type) ? ncclInvalidUsage : ncclSuccess;
}

// Everybody's bytes to everybody, in the stream.
ncclResult_t passed(cudaStream_t stream, fake_cuda::Exchange& exchange, const void* mine, std::size_t bytes,
                    fake_cuda::Exchange::Take take) {
  fake_cuda::later(stream, [=, &exchange] { return exchange.all(mine, bytes, take); });
  return ncclSuccess;
}

ncclResult_t joined(ncclComm_t* handle, int count, int rank, const ncclUniqueId& id) {
  auto* ranks = new Ranks{count, rank};
  if (fake_cuda::numbers()) ranks->exchange = std::make_unique<fake_cuda::Exchange>(id.internal, count, rank);
  *handle = reinterpret_cast<ncclComm_t>(ranks);
  return ncclSuccess;
}

ncclResult_t left(ncclComm_t handle) {
  delete ranksOf(handle);
  return ncclSuccess;
}

// `count` numbers of every rank become one; sums are in float32 at least.
template <class T>
void reduce(void* out, std::size_t count, const std::vector<const char*>& shown, ncclRedOp_t operation) {
  for (std::size_t i = 0; i < count; ++i) {
    const auto of = [&](std::size_t rank) {
      const T number = reinterpret_cast<const T*>(shown[rank])[i];
      if constexpr (std::is_same_v<T, double>)
        return number;
      else
        return wide(number);
    };
    auto sum = of(0);
    for (std::size_t rank = 1; rank < shown.size(); ++rank)
      sum = operation == ncclMax ? std::max(sum, of(rank)) : sum + of(rank);
    if constexpr (std::is_same_v<T, double>)
      static_cast<T*>(out)[i] = sum;
    else
      static_cast<T*>(out)[i] = Narrow<T>::of(sum);
  }
}

void reduce(ncclDataType_t type, void* out, std::size_t bytes, const std::vector<const char*>& shown,
            ncclRedOp_t operation) {
  switch (type) {
    case ncclFloat32: return reduce<float>(out, bytes / 4, shown, operation);
    case ncclFloat64: return reduce<double>(out, bytes / 8, shown, operation);
    default: return reduce<Bf16>(out, bytes / 2, shown, operation);
  }
}

}  // namespace

extern "C" {

ncclResult_t ncclGetVersion(int* version) {
  *version = NCCL_VERSION_CODE;
  return ncclSuccess;
}

ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
  *id = {};
  std::random_device chance;
  std::snprintf(id->internal, sizeof id->internal, "/fake-nccl-%08x%08x", chance(), chance());
  return ncclSuccess;
}

ncclResult_t ncclCommInitRank(ncclComm_t* handle, int count, ncclUniqueId id, int rank) {
  return joined(handle, count, rank, id);
}

ncclResult_t ncclCommInitRankConfig(ncclComm_t* handle, int count, ncclUniqueId id, int rank, ncclConfig_t*) {
  return joined(handle, count, rank, id);
}

ncclResult_t ncclCommInitRankScalable(ncclComm_t* handle, int count, int rank, int, ncclUniqueId* ids, ncclConfig_t*) {
  return joined(handle, count, rank, ids[0]);
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

ncclResult_t ncclAllReduce(const void* in, void* out, std::size_t count, ncclDataType_t type, ncclRedOp_t operation,
                           ncclComm_t handle, cudaStream_t stream) {
  if (!counted("ncclAllReduce", count, type)) return ncclSuccess;
  if ((type != ncclFloat32 && type != ncclFloat64 && type != ncclBfloat16) ||
      (operation != ncclSum && operation != ncclMax))
    return ncclInvalidUsage;
  const auto take = [=](std::size_t offset, std::size_t bytes, const std::vector<const char*>& shown) {
    reduce(type, static_cast<char*>(out) + offset, bytes, shown, operation);
  };
  return passed(stream, *ranksOf(handle)->exchange, in, bytesOf(count, type), take);
}

ncclResult_t ncclAllGather(const void* in, void* out, std::size_t count, ncclDataType_t type, ncclComm_t handle,
                           cudaStream_t stream) {
  if (!counted("ncclAllGather", count, type)) return ncclSuccess;
  const auto each = bytesOf(count, type);
  const auto take = [=](std::size_t offset, std::size_t bytes, const std::vector<const char*>& shown) {
    for (std::size_t rank = 0; rank < shown.size(); ++rank)
      std::memcpy(static_cast<char*>(out) + rank * each + offset, shown[rank], bytes);
  };
  return passed(stream, *ranksOf(handle)->exchange, in, each, take);
}

// `count` to every rank.
ncclResult_t ncclAlltoAll(const void* in, void* out, std::size_t count, ncclDataType_t type, ncclComm_t handle,
                          cudaStream_t stream) {
  if (!counted("ncclAlltoAll", count, type)) return ncclSuccess;
  auto& exchange = *ranksOf(handle)->exchange;
  const auto each = bytesOf(count, type), begin = each * static_cast<std::size_t>(exchange.rank()), end = begin + each;
  const auto take = [=](std::size_t offset, std::size_t bytes, const std::vector<const char*>& shown) {
    const auto first = std::max(begin, offset), last = std::min(end, offset + bytes);
    for (std::size_t rank = 0; rank < shown.size() && first < last; ++rank)
      std::memcpy(static_cast<char*>(out) + rank * each + (first - begin), shown[rank] + (first - offset),
                  last - first);
  };
  return passed(stream, exchange, in, each * static_cast<std::size_t>(exchange.count()), take);
}

ncclResult_t ncclBroadcast(const void*, void*, std::size_t count, ncclDataType_t type, int, ncclComm_t, cudaStream_t) {
  return countedAlone("ncclBroadcast", count, type);
}

ncclResult_t ncclBcast(void*, std::size_t count, ncclDataType_t type, int, ncclComm_t, cudaStream_t) {
  return countedAlone("ncclBroadcast", count, type);
}

ncclResult_t ncclReduceScatter(const void*, void*, std::size_t count, ncclDataType_t type, ncclRedOp_t, ncclComm_t,
                               cudaStream_t) {
  return countedAlone("ncclReduceScatter", count, type);
}

ncclResult_t ncclSend(const void*, std::size_t count, ncclDataType_t type, int, ncclComm_t, cudaStream_t) {
  return countedAlone("ncclSend", count, type);
}

ncclResult_t ncclRecv(void*, std::size_t count, ncclDataType_t type, int, ncclComm_t, cudaStream_t) {
  return countedAlone("ncclRecv", count, type);
}

}  // extern "C"
