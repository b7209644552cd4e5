import type { ConfigSource } from './config/config-file.ts';

export interface WorkerOptions extends ConfigSource {
  /** Where the objects live; by default `.gatehouse/state` beside the configuration. */
  readonly directory?: string | undefined;
  readonly durability?: 'disk' | 'os' | undefined;
  /** Whether to load the code anew when one of its files changes. */
  readonly watch?: boolean;
  readonly log: WorkerLog;
}

/** Who wants to know what happens to a Worker. */
export interface WorkerLog {
  info(text: string): void;
  warn(text: string): void;
  error(error: unknown): void;
}
