// A Vulkan loader that notes its calls in the file named by STUB_CALLS, and finds no driver.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void note(const char* what, const char* name) {
  FILE* f = fopen(getenv("STUB_CALLS"), "a");
  if (!f) return;
  fprintf(f, "%s%s%s\n", what, name ? " " : "", name ? name : "");
  fclose(f);
}

enum { VK_SUCCESS = 0, VK_ERROR_INCOMPATIBLE_DRIVER = -9 };

static int create_instance(const void* info, const void* allocator, void** instance) {
  (void)info;
  (void)allocator;
  (void)instance;
  note("vkCreateInstance", NULL);
  return VK_ERROR_INCOMPATIBLE_DRIVER;
}

static int no_properties(const char* layer, unsigned* count, void* properties) {
  (void)layer;
  (void)properties;
  *count = 0;
  return VK_SUCCESS;
}

static int no_layers(unsigned* count, void* properties) {
  (void)properties;
  *count = 0;
  return VK_SUCCESS;
}

static int version(unsigned* out) {
  *out = (1u << 22) | (3u << 12);
  return VK_SUCCESS;
}

void (*vkGetInstanceProcAddr(void* instance, const char* name))(void) {
  (void)instance;
  note("vkGetInstanceProcAddr", name);
  if (!strcmp(name, "vkCreateInstance")) return (void (*)(void))create_instance;
  if (!strcmp(name, "vkEnumerateInstanceVersion")) return (void (*)(void))version;
  if (!strcmp(name, "vkEnumerateInstanceLayerProperties")) return (void (*)(void))no_layers;
  if (!strcmp(name, "vkEnumerateInstanceExtensionProperties")) {
    return (void (*)(void))no_properties;
  }
  return NULL;
}
