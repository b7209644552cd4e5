/** The original's limit. It keeps one call from filling the memory of everybody. */
export const messageBytesMax = 32 * 1024 * 1024;

/** Property proxies kept per stub: enough for the methods of any class, bounded because names come from user code. */
export const propertiesCachedMax = 64;
