# Builds of llama-cpp-python only what the tests ask of it: a model on a CPU, no pictures, no
# server, no downloads. Included at every project() (CMAKE_PROJECT_INCLUDE), where a plain variable
# goes before the cache, into which the package forces the opposite.
set(LLAVA_BUILD OFF)
set(LLAMA_BUILD_COMMON OFF)
set(GGML_LLAMAFILE OFF)
set(GGML_CPU_REPACK OFF)
set(GGML_OPENMP OFF)
set(CMAKE_C_FLAGS_RELEASE "-O1 -DNDEBUG")
set(CMAKE_CXX_FLAGS_RELEASE "-O1 -DNDEBUG")
