/**
 * The modules of a Worker after the build: the complete code, as plain data that can be sent to another process. Names
 * are paths relative to `root`, without a leading `./`.
 */
export type WorkerModule =
  | { readonly type: 'esm' | 'commonjs' | 'text' | 'json'; readonly text: string }
  | { readonly type: 'data' | 'wasm'; readonly bytes: Uint8Array };

export interface WorkerModules {
  /** The directory of the names: stack traces and source maps refer to it. It is never read. */
  readonly root: string;
  readonly main: string;
  readonly modules: Readonly<Record<string, WorkerModule>>;
}
