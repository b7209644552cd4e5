import { readdirSync, readFileSync } from 'node:fs';

/**
 * Whether a thread of the process runs or waits for a processor: it is neither stopped nor blocked in the kernel. False
 * where the system does not report it.
 */
export function isRunnable(pid: number | undefined): boolean {
  const folder = `/proc/${pid}/task`;
  try {
    return readdirSync(folder).some((thread) => {
      const text = readFileSync(`${folder}/${thread}/stat`, 'latin1');
      // The name before it can contain any character.
      return text.slice(text.lastIndexOf(')')).startsWith(') R');
    });
  } catch {
    return false;
  }
}
