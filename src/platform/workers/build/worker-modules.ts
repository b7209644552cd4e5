/**
 * The modules of a Worker as its build leaves them: all that runs, as plain data that can be sent to another process. Names
 * are paths relative to `root`, without a leading `./`.
 */
export type WorkerModule =
  | { readonly type: 'esm' | 'commonjs' | 'text' | 'json'; readonly text: string }
  | { readonly type: 'data' | 'wasm'; readonly bytes: Uint8Array };

export interface WorkerModules {
  /** The directory that names stand in: stack traces and source maps refer to it. Nothing of it is read. */
  readonly root: string;
  readonly main: string;
  readonly modules: Readonly<Record<string, WorkerModule>>;
}
