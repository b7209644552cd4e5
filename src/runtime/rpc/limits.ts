/** The limit of workerd. It keeps one call from filling the memory of the process. */
export const messageBytesMax = 32 * 1024 * 1024;

/** Property proxies cached per stub: enough for the methods of any class, bounded because the names come from user code. */
export const propertiesCachedMax = 64;
