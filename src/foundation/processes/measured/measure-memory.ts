let residentBytes = 0;

/** Of the process. Without a free descriptor the system does not say, and what it said last holds. */
export function measureMemory(): number {
  try {
    residentBytes = process.memoryUsage.rss();
  } catch {
    // EMFILE: to say what it holds, a process opens a file.
  }
  return residentBytes;
}
