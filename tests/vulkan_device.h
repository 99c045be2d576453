/* vulkan_device.h - a Vulkan device for tests: buffers that the host sees, and one dispatch at a
   time.

   needs     libvulkan, test.h before it
   promises  every feature that the device has is enabled */
#ifndef IRL_VULKAN_DEVICE_H
#define IRL_VULKAN_DEVICE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan.h>

enum { VULKAN_BINDINGS = 16, VULKAN_DEVICES = 8 };

typedef struct vulkan {
    VkInstance       instance;
    VkPhysicalDevice physical;
    VkDevice         device;
    VkQueue          queue;
    VkCommandPool    commands;
    VkDescriptorPool descriptors;
    char             name[256];
} vulkan;

typedef struct vulkan_buffer {
    VkBuffer       buffer;
    VkDeviceMemory memory;
    void          *bytes; /* as the host sees it */
} vulkan_buffer;

/* A call that fails ends the test program: nothing can be said about the rest. */
static void vulkan_must(VkResult result, const char *call)
{
    if (result == VK_SUCCESS) return;
    printf("Vulkan: %s is %d\n", call, (int)result);
    exit(1);
}
#define VULKAN_MUST(call) vulkan_must(call, #call)

/* Opens the first device; 0: there is none. */
static int vulkan_open(vulkan *v)
{
    uint32_t                         count = VULKAN_DEVICES;
    const float                      priority = 1;
    VkPhysicalDevice                 list[VULKAN_DEVICES];
    VkApplicationInfo                program;
    VkInstanceCreateInfo             instance;
    VkDeviceQueueCreateInfo          queue;
    VkDeviceCreateInfo               device;
    VkCommandPoolCreateInfo          commands;
    VkDescriptorPoolCreateInfo       descriptors;
    VkPhysicalDeviceProperties       properties;
    VkPhysicalDeviceFeatures2        features;
    VkPhysicalDeviceVulkan11Features of_11;
    VkPhysicalDeviceVulkan12Features of_12;
    const VkDescriptorPoolSize       size = { VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VULKAN_BINDINGS };
    memset(v, 0, sizeof *v);
    memset(&program, 0, sizeof program);
    program.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
    program.apiVersion = VK_API_VERSION_1_2;
    memset(&instance, 0, sizeof instance);
    instance.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
    instance.pApplicationInfo = &program;
    if (vkCreateInstance(&instance, NULL, &v->instance) != VK_SUCCESS) return 0;
    if (vkEnumeratePhysicalDevices(v->instance, &count, list) < 0 || count == 0) return 0;
    v->physical = list[0];
    vkGetPhysicalDeviceProperties(v->physical, &properties);
    memcpy(v->name, properties.deviceName, sizeof v->name);
    memset(&of_12, 0, sizeof of_12);
    of_12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
    memset(&of_11, 0, sizeof of_11);
    of_11.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES;
    of_11.pNext = &of_12;
    memset(&features, 0, sizeof features);
    features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
    features.pNext = &of_11;
    vkGetPhysicalDeviceFeatures2(v->physical, &features);
    memset(&queue, 0, sizeof queue);
    queue.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
    queue.queueCount = 1;
    queue.pQueuePriorities = &priority;
    memset(&device, 0, sizeof device);
    device.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
    device.pNext = &features;
    device.queueCreateInfoCount = 1;
    device.pQueueCreateInfos = &queue;
    VULKAN_MUST(vkCreateDevice(v->physical, &device, NULL, &v->device));
    vkGetDeviceQueue(v->device, 0, 0, &v->queue);
    memset(&commands, 0, sizeof commands);
    commands.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
    VULKAN_MUST(vkCreateCommandPool(v->device, &commands, NULL, &v->commands));
    memset(&descriptors, 0, sizeof descriptors);
    descriptors.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
    descriptors.maxSets = 1;
    descriptors.poolSizeCount = 1;
    descriptors.pPoolSizes = &size;
    VULKAN_MUST(vkCreateDescriptorPool(v->device, &descriptors, NULL, &v->descriptors));
    return 1;
}

static void vulkan_close(vulkan *v)
{
    if (v->device) {
        vkDestroyDescriptorPool(v->device, v->descriptors, NULL);
        vkDestroyCommandPool(v->device, v->commands, NULL);
        vkDestroyDevice(v->device, NULL);
    }
    if (v->instance) vkDestroyInstance(v->instance, NULL);
}

/* Memory that host and device see, of at least 4 bytes. */
static vulkan_buffer vulkan_buffer_new(const vulkan *v, size_t bytes)
{
    const VkFlags want = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    vulkan_buffer                    b;
    VkBufferCreateInfo               buffer;
    VkMemoryRequirements             needs;
    VkMemoryAllocateInfo             memory;
    VkPhysicalDeviceMemoryProperties kinds;
    uint32_t                         k = 0;
    memset(&buffer, 0, sizeof buffer);
    buffer.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
    buffer.size = bytes < 4 ? 4 : (bytes + 3) / 4 * 4;
    buffer.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    VULKAN_MUST(vkCreateBuffer(v->device, &buffer, NULL, &b.buffer));
    vkGetBufferMemoryRequirements(v->device, b.buffer, &needs);
    vkGetPhysicalDeviceMemoryProperties(v->physical, &kinds);
    while (k + 1 < kinds.memoryTypeCount &&
           !(needs.memoryTypeBits >> k & 1 &&
             (kinds.memoryTypes[k].propertyFlags & want) == want))
        k++;
    memset(&memory, 0, sizeof memory);
    memory.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
    memory.allocationSize = needs.size;
    memory.memoryTypeIndex = k;
    VULKAN_MUST(vkAllocateMemory(v->device, &memory, NULL, &b.memory));
    VULKAN_MUST(vkBindBufferMemory(v->device, b.buffer, b.memory, 0));
    VULKAN_MUST(vkMapMemory(v->device, b.memory, 0, VK_WHOLE_SIZE, 0, &b.bytes));
    memset(b.bytes, 0xa5, buffer.size); /* what nobody stores is no zero */
    return b;
}

static void vulkan_buffer_free(const vulkan *v, vulkan_buffer *b)
{
    vkDestroyBuffer(v->device, b->buffer, NULL);
    vkFreeMemory(v->device, b->memory, NULL);
}

/* The pipeline of a shader whose binding k is a storage buffer where buffers[k] is set. */
static VkPipeline vulkan_pipeline(const vulkan *v, size_t bytes, const uint32_t *code,
                                  int count, const vulkan_buffer *const *buffers, int push_bytes,
                                  VkDescriptorSetLayout *set, VkPipelineLayout *layout)
{
    VkDescriptorSetLayoutBinding    list[VULKAN_BINDINGS];
    VkDescriptorSetLayoutCreateInfo bindings;
    VkPipelineLayoutCreateInfo      of_layout;
    VkShaderModuleCreateInfo        of_module;
    VkComputePipelineCreateInfo     of_pipeline;
    VkShaderModule                  module;
    VkPipeline                      pipeline;
    const VkPushConstantRange range = { VK_SHADER_STAGE_COMPUTE_BIT, 0, (uint32_t)push_bytes };
    memset(&bindings, 0, sizeof bindings);
    memset(list, 0, sizeof list);
    for (int k = 0; k < count; k++) {
        VkDescriptorSetLayoutBinding *b = &list[bindings.bindingCount];
        if (!buffers[k]) continue;
        bindings.bindingCount++;
        b->binding = (uint32_t)k;
        b->descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
        b->descriptorCount = 1;
        b->stageFlags = VK_SHADER_STAGE_COMPUTE_BIT;
    }
    bindings.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
    bindings.pBindings = list;
    VULKAN_MUST(vkCreateDescriptorSetLayout(v->device, &bindings, NULL, set));
    memset(&of_layout, 0, sizeof of_layout);
    of_layout.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
    of_layout.setLayoutCount = 1;
    of_layout.pSetLayouts = set;
    of_layout.pushConstantRangeCount = push_bytes > 0;
    of_layout.pPushConstantRanges = &range;
    VULKAN_MUST(vkCreatePipelineLayout(v->device, &of_layout, NULL, layout));
    memset(&of_module, 0, sizeof of_module);
    of_module.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
    of_module.codeSize = bytes;
    of_module.pCode = code;
    VULKAN_MUST(vkCreateShaderModule(v->device, &of_module, NULL, &module));
    memset(&of_pipeline, 0, sizeof of_pipeline);
    of_pipeline.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
    of_pipeline.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    of_pipeline.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    of_pipeline.stage.module = module;
    of_pipeline.stage.pName = "main";
    of_pipeline.layout = *layout;
    VULKAN_MUST(vkCreateComputePipelines(v->device, VK_NULL_HANDLE, 1, &of_pipeline, NULL,
                                         &pipeline));
    vkDestroyShaderModule(v->device, module, NULL);
    return pipeline;
}

/* Runs a shader (SPIR-V) with its buffers and push constants, and waits for it. */
static void vulkan_run(const vulkan *v, size_t bytes, const uint32_t *code, int count,
                       const vulkan_buffer *const *buffers, const void *push, int push_bytes,
                       const uint32_t groups[3])
{
    VkDescriptorSetLayout       set_layout;
    VkPipelineLayout            layout;
    VkDescriptorSetAllocateInfo of_set;
    VkDescriptorSet             set;
    VkCommandBufferAllocateInfo of_commands;
    VkCommandBufferBeginInfo    begin;
    VkCommandBuffer             commands;
    VkSubmitInfo                submit;
    VkPipeline pipeline = vulkan_pipeline(v, bytes, code, count, buffers, push_bytes, &set_layout,
                                          &layout);
    memset(&of_set, 0, sizeof of_set);
    of_set.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
    of_set.descriptorPool = v->descriptors;
    of_set.descriptorSetCount = 1;
    of_set.pSetLayouts = &set_layout;
    VULKAN_MUST(vkAllocateDescriptorSets(v->device, &of_set, &set));
    for (int k = 0; k < count; k++) {
        VkDescriptorBufferInfo part;
        VkWriteDescriptorSet   write;
        if (!buffers[k]) continue;
        part.buffer = buffers[k]->buffer;
        part.offset = 0;
        part.range = VK_WHOLE_SIZE;
        memset(&write, 0, sizeof write);
        write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
        write.dstSet = set;
        write.dstBinding = (uint32_t)k;
        write.descriptorCount = 1;
        write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
        write.pBufferInfo = &part;
        vkUpdateDescriptorSets(v->device, 1, &write, 0, NULL);
    }
    memset(&of_commands, 0, sizeof of_commands);
    of_commands.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
    of_commands.commandPool = v->commands;
    of_commands.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
    of_commands.commandBufferCount = 1;
    VULKAN_MUST(vkAllocateCommandBuffers(v->device, &of_commands, &commands));
    memset(&begin, 0, sizeof begin);
    begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
    VULKAN_MUST(vkBeginCommandBuffer(commands, &begin));
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
    if (push_bytes > 0)
        vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, (uint32_t)push_bytes,
                           push);
    vkCmdDispatch(commands, groups[0], groups[1], groups[2]);
    VULKAN_MUST(vkEndCommandBuffer(commands));
    memset(&submit, 0, sizeof submit);
    submit.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
    submit.commandBufferCount = 1;
    submit.pCommandBuffers = &commands;
    VULKAN_MUST(vkQueueSubmit(v->queue, 1, &submit, VK_NULL_HANDLE));
    VULKAN_MUST(vkQueueWaitIdle(v->queue));
    vkFreeCommandBuffers(v->device, v->commands, 1, &commands);
    VULKAN_MUST(vkResetDescriptorPool(v->device, v->descriptors, 0));
    vkDestroyPipeline(v->device, pipeline, NULL);
    vkDestroyPipelineLayout(v->device, layout, NULL);
    vkDestroyDescriptorSetLayout(v->device, set_layout, NULL);
}

#endif
