/** Metrics of the data directory, its disk, and the descriptors of the process. */
import { DiskUsage } from './disk-usage.ts';
import { type Metric, Reading } from '#metrics';

export function createDiskMetrics(directory: string): readonly Metric[] {
  const usage = new DiskUsage(directory);
  void usage.look();
  return [
    new Reading(
      'gatehouse_disk_used_bytes',
      'Disk space used by the data directory in bytes, by folder; up to a minute old.',
      () => Array.from(usage.latest?.parts ?? [], ([part, bytes]) => [{ part }, bytes] as const),
    ),
    new Reading(
      'gatehouse_disk_free_bytes',
      'Bytes available to Gatehouse on the disk of the data directory.',
      () => usage.latest?.freeBytes,
    ),
    new Reading(
      'gatehouse_disk_size_bytes',
      'Size of the disk of the data directory.',
      () => usage.latest?.sizeBytes,
    ),
    new Reading('process_open_fds', 'Open file descriptors.', () => usage.latest?.openDescriptors),
    new Reading(
      'process_max_fds',
      'Maximum number of open file descriptors.',
      () => usage.latest?.descriptorsMax,
    ),
  ];
}
