let residentBytes = 0;

/** The memory of the process. Without a free descriptor the system does not report it: then the last value. */
export function measureMemory(): number {
  try {
    residentBytes = process.memoryUsage.rss();
  } catch {
    // EMFILE: reading the value requires opening a file.
  }
  return residentBytes;
}
