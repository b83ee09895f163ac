// Calls: arguments in, results out.
#include <string.h>

#include "internal.h"

static iree_status_t ireert_push_scalar(ireert_session* s, int32_t i, const ireert_tensor* t) {
  iree_vm_value_t value;
  const int64_t width = t->dtype == IREERT_I64 || t->dtype == IREERT_F64 ? 8 : 4;
  if (!t->data || t->nbytes < width) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "argument %d: a scalar without its bytes",
                            i);
  }
  memset(&value, 0, sizeof(value));
  switch (t->dtype) {
    case IREERT_I32:
      value.type = IREE_VM_VALUE_TYPE_I32;
      break;
    case IREERT_I64:
      value.type = IREE_VM_VALUE_TYPE_I64;
      break;
    case IREERT_F32:
      value.type = IREE_VM_VALUE_TYPE_F32;
      break;
    case IREERT_F64:
      value.type = IREE_VM_VALUE_TYPE_F64;
      break;
    default:
      return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "argument %d: no scalar of type %08x",
                              i, t->dtype);
  }
  memcpy(&value.i64, t->data, (size_t)width);  // the members of the union share their first byte
  return iree_vm_list_push_value(s->inputs, &value);
}

// Reads a shape; its bytes must be those at data, for IREE itself would leave
// the rest of a buffer unset when there are fewer.
static iree_status_t ireert_shape(int32_t i, const ireert_tensor* t, iree_hal_dim_t* dims) {
  if (t->rank < 0 || t->rank > IREERT_MAX_RANK) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "argument %d: rank %d, want 0 to %d", i,
                            t->rank, IREERT_MAX_RANK);
  }
  for (int32_t d = 0; d < t->rank; ++d) {
    if (t->dims[d] < 0) {
      return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "argument %d: dimension %d is %lld", i,
                              d, (long long)t->dims[d]);
    }
    dims[d] = (iree_hal_dim_t)t->dims[d];
  }
  iree_device_size_t want = 0;
  IREE_RETURN_IF_ERROR(iree_hal_buffer_compute_view_size(
      (iree_host_size_t)t->rank, dims, (iree_hal_element_type_t)t->dtype,
      IREE_HAL_ENCODING_TYPE_DENSE_ROW_MAJOR, &want));
  if (t->nbytes < 0 || (iree_device_size_t)t->nbytes != want || (want && !t->data)) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "argument %d: %lld bytes given, its shape has %llu", i,
                            (long long)t->nbytes, (unsigned long long)want);
  }
  return iree_ok_status();
}

static iree_status_t ireert_push(ireert_session* s, int32_t i, const ireert_tensor* t) {
  if (t->flags & IREERT_SCALAR) return ireert_push_scalar(s, i, t);
  if (t->handle) {
    iree_vm_ref_t ref = iree_hal_buffer_view_retain_ref((iree_hal_buffer_view_t*)t->handle);
    iree_status_t status = iree_vm_list_push_ref_move(s->inputs, &ref);
    iree_vm_ref_release(&ref);  // empty after a move
    return status;
  }
  iree_hal_dim_t dims[IREERT_MAX_RANK];
  IREE_RETURN_IF_ERROR(ireert_shape(i, t, dims));
  iree_hal_buffer_params_t params = {
      .type = IREE_HAL_MEMORY_TYPE_DEVICE_LOCAL,
      .access = IREE_HAL_MEMORY_ACCESS_ALL,
      .usage = IREE_HAL_BUFFER_USAGE_DEFAULT,
  };
  iree_hal_buffer_view_t* view = NULL;
  IREE_RETURN_IF_ERROR(iree_hal_buffer_view_allocate_buffer_copy(
      s->device, s->allocator, (iree_host_size_t)t->rank, dims, (iree_hal_element_type_t)t->dtype,
      IREE_HAL_ENCODING_TYPE_DENSE_ROW_MAJOR, params,
      iree_make_const_byte_span(t->data, (iree_host_size_t)t->nbytes), &view));
  iree_vm_ref_t ref = iree_hal_buffer_view_move_ref(view);
  iree_status_t status = iree_vm_list_push_ref_move(s->inputs, &ref);
  iree_vm_ref_release(&ref);
  return status;
}

static iree_status_t ireert_copy_out(ireert_session* s, iree_hal_buffer_view_t* view, int64_t offset,
                                     void* out, int64_t n) {
  if (n == 0) return iree_ok_status();
  return iree_hal_device_transfer_d2h(s->device, iree_hal_buffer_view_buffer(view),
                                      (iree_device_size_t)offset, out, (iree_device_size_t)n,
                                      IREE_HAL_TRANSFER_BUFFER_FLAG_DEFAULT,
                                      iree_infinite_timeout());
}

static iree_status_t ireert_pop_scalar(int32_t i, iree_vm_variant_t v, int64_t room,
                                       ireert_tensor* t) {
  switch (iree_vm_type_def_as_value(v.type)) {
    case IREE_VM_VALUE_TYPE_I32:
      t->dtype = IREERT_I32;
      t->nbytes = 4;
      break;
    case IREE_VM_VALUE_TYPE_I64:
      t->dtype = IREERT_I64;
      t->nbytes = 8;
      break;
    case IREE_VM_VALUE_TYPE_F32:
      t->dtype = IREERT_F32;
      t->nbytes = 4;
      break;
    case IREE_VM_VALUE_TYPE_F64:
      t->dtype = IREERT_F64;
      t->nbytes = 8;
      break;
    default:
      return iree_make_status(IREE_STATUS_UNIMPLEMENTED, "result %d: a value of an unknown type",
                              i);
  }
  t->flags |= IREERT_SCALAR;
  t->rank = 0;
  if (room >= t->nbytes) memcpy(t->data, &v.i64, (size_t)t->nbytes);
  return iree_ok_status();
}

static iree_status_t ireert_pop(ireert_session* s, int32_t i, ireert_tensor* t) {
  iree_vm_variant_t v = iree_vm_variant_empty();  // borrows from the list
  IREE_RETURN_IF_ERROR(iree_vm_list_get_variant_assign(s->outputs, (iree_host_size_t)i, &v));
  const int64_t room = t->data ? t->nbytes : 0;
  if (!iree_vm_variant_is_ref(v)) return ireert_pop_scalar(i, v, room, t);
  iree_hal_buffer_view_t* view = NULL;
  IREE_RETURN_IF_ERROR(iree_hal_buffer_view_check_deref(v.ref, &view));
  const iree_host_size_t rank = iree_hal_buffer_view_shape_rank(view);
  if (rank > IREERT_MAX_RANK) {
    return iree_make_status(IREE_STATUS_UNIMPLEMENTED, "result %d: rank %d, at most %d fit", i,
                            (int)rank, IREERT_MAX_RANK);
  }
  t->flags &= ~IREERT_SCALAR;
  t->dtype = (int32_t)iree_hal_buffer_view_element_type(view);
  t->rank = (int32_t)rank;
  for (iree_host_size_t d = 0; d < rank; ++d) {
    t->dims[d] = (int64_t)iree_hal_buffer_view_shape_dim(view, d);
  }
  t->nbytes = (int64_t)iree_hal_buffer_view_byte_length(view);
  if (room >= t->nbytes) {
    IREE_RETURN_IF_ERROR(ireert_copy_out(s, view, 0, t->data, t->nbytes));
  }
  if (t->flags & IREERT_KEEP) {
    iree_hal_buffer_view_retain(view);
    t->handle = view;
  }
  return iree_ok_status();
}

int32_t ireert_call(ireert_session* s, int32_t func, ireert_tensor* ins, int32_t nin,
                    ireert_tensor* outs, int32_t nout, char* err, int64_t errcap) {
  IREERT_REQUIRE(s && nin >= 0 && nout >= 0 && (ins || !nin) && (outs || !nout), err, errcap);
  iree_status_t status = iree_ok_status();
  if (func < 0 || func >= s->func_count) {
    status = iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "function index %d of %d", func,
                              s->func_count);
  }
  for (int32_t i = 0; i < nout; ++i) outs[i].handle = NULL;
  for (int32_t i = 0; i < nin && iree_status_is_ok(status); ++i) {
    status = ireert_push(s, i, &ins[i]);
  }
  if (iree_status_is_ok(status)) {
    status = iree_runtime_session_call(s->session, &s->funcs[func], s->inputs, s->outputs);
  }
  if (iree_status_is_ok(status) && iree_vm_list_size(s->outputs) != (iree_host_size_t)nout) {
    status = iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "the function has %d results, %d asked",
                              (int)iree_vm_list_size(s->outputs), nout);
  }
  for (int32_t i = 0; i < nout && iree_status_is_ok(status); ++i) {
    status = ireert_pop(s, i, &outs[i]);
  }
  if (!iree_status_is_ok(status)) {
    for (int32_t i = 0; i < nout; ++i) {
      ireert_release(outs[i].handle);
      outs[i].handle = NULL;
    }
  }
  iree_vm_list_clear(s->inputs);
  iree_vm_list_clear(s->outputs);
  return ireert_done(status, err, errcap);
}

int32_t ireert_read(ireert_session* s, void* handle, int64_t offset, void* out, int64_t n,
                    char* err, int64_t errcap) {
  IREERT_REQUIRE(s && handle && offset >= 0 && n >= 0 && (out || !n), err, errcap);
  iree_hal_buffer_view_t* view = (iree_hal_buffer_view_t*)handle;
  const int64_t length = (int64_t)iree_hal_buffer_view_byte_length(view);
  if (offset > length || n > length - offset) {
    return ireert_done(
        iree_make_status(IREE_STATUS_OUT_OF_RANGE, "bytes [%lld, +%lld) of a buffer of %lld",
                         (long long)offset, (long long)n, (long long)length),
        err, errcap);
  }
  return ireert_done(ireert_copy_out(s, view, offset, out, n), err, errcap);
}

void ireert_release(void* handle) { iree_hal_buffer_view_release((iree_hal_buffer_view_t*)handle); }
