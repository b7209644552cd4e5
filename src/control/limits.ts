/** Per object; a page of 100 rules has some 40 KB. */
export const rememberedBytesMax = 1024 * 1024;
