/**
 * What control asks of the program that runs uploaded Workers. A version has two forms: the row that the account stores
 * (`VersionRow`), and `RunnableVersion`, which is handed over to be run. `#deployments` implements `WorkerHost`.
 */

export type ScriptModule = (
  | { readonly type: 'esm' | 'commonjs' | 'text' | 'json'; readonly text: string }
  | { readonly type: 'data' | 'wasm'; readonly bytes: Uint8Array }
) & {
  /** The name that it was uploaded with, if that starts with `./`; a client that downloads the code gets this name. */
  readonly sentAs?: string;
};

/** The modules of a version. */
export interface ScriptCode {
  readonly main: string;
  readonly modules: Readonly<Record<string, ScriptModule>>;
  /** Source maps by module name, for stacks in logs. */
  readonly maps?: Readonly<Record<string, string>>;
}

/** A binding in the form of the API. A secret includes its text only on the way to a process. */
export interface ScriptBinding {
  readonly type: string;
  readonly name: string;
  readonly [field: string]: unknown;
}

/** A class of objects that migrations have created. */
export interface ScriptClass {
  readonly name: string;
  readonly storage: 'sql' | 'kv';
  /** The storage key of its objects: the first name of the class. */
  readonly uniqueKey: string;
}

/** A class whose objects move to another Worker, with its storage key at each. */
export interface TransferredClass {
  readonly storage: ScriptClass['storage'];
  readonly from: Pick<ScriptClass, 'name' | 'uniqueKey'>;
  readonly to: Pick<ScriptClass, 'name' | 'uniqueKey'>;
}

/** Objects that move from one Worker to another. */
export interface ObjectTransfer {
  readonly from: { readonly id: string; readonly name: string };
  readonly to: { readonly id: string; readonly name: string };
  readonly classes: readonly TransferredClass[];
}

/** A version with everything that a process needs to run it. */
export interface RunnableVersion {
  /** The id of the Worker: after a deletion, another Worker can have the same name. */
  readonly workerId: string;
  readonly name: string;
  readonly number: number;
  readonly codeDigest: string;
  readonly bindings: readonly ScriptBinding[];
  readonly compatibilityDate: string | undefined;
  readonly compatibilityFlags: readonly string[];
  readonly classes: readonly ScriptClass[];
  readonly crons: readonly string[];
  readonly assets: ScriptAssets | null;
  readonly version: { readonly id: string; readonly tag: string; readonly timestamp: string };
  /** Why it cannot run: its secrets cannot be read. */
  readonly obstacle?: Error;
}

/** A version whose code has been loaded, in a process that waits. */
export interface LoadedVersion {
  readonly exports: { readonly handlers: readonly string[]; readonly classes: readonly string[] };
  readonly loadMs: number;
  /** Switches to this version. If it does not start, the previous version runs again, and this throws the fault. */
  switch(): Promise<void>;
  /** Keeps its process for a moment, in case a deployment follows. */
  hold(): void;
  /** Terminates its process, unless the version was switched to or is held. */
  discard(): Promise<void>;
}

/** Code on disk that is not deleted until this is disposed; disposing twice is allowed. */
export interface KeptCode extends Disposable {
  readonly digest: string;
}

/** Files by URL path. */
export type AssetManifest = Readonly<
  Record<
    string,
    {
      /** The name of the file: its own digest; in what a client sends, the hash that the client chose. */
      readonly hash: string;
      readonly size: number;
      /** The hash that the client chose, in the list of a version. */
      readonly given?: string;
    }
  >
>;

/** Static assets of a version: the digest of their list, and how to serve them. */
export interface ScriptAssets {
  readonly manifest: string;
  readonly config: {
    readonly html_handling?: string;
    readonly not_found_handling?: string;
    readonly run_worker_first?: boolean | readonly string[];
    readonly _headers?: string;
    readonly _redirects?: string;
  };
}

/** Which calls of a Worker a tail reports. */
export interface TailFilters {
  readonly samplingRate?: number | undefined;
  readonly outcomes?: readonly string[] | undefined;
  readonly methods?: readonly string[] | undefined;
  readonly headers: readonly { readonly key: string; readonly query?: string | undefined }[];
  readonly addresses?: readonly string[] | undefined;
  readonly query?: string | undefined;
  readonly version?: string | undefined;
}

export interface TailHost {
  /** Undefined if the Worker has the maximum number. */
  create(
    worker: string,
    filters: TailFilters,
    nowMs: number,
  ): { readonly id: string; readonly path: string; readonly expiresAtMs: number } | undefined;
  /** Ids. */
  list(worker: string): string[];
  remove(id: string): void;
}

export interface AssetHost {
  /**
   * Returns the files that no version of the Worker has, by the digests of their lists, and a token to upload them
   * with.
   */
  begin(manifest: AssetManifest, lists: readonly string[]): Promise<{ jwt: string; buckets: string[][] }>;
  /** Returns the digest of the list of files; throws the fault if some are missing. */
  complete(jwt: string): Promise<string>;
}

/** Marks for deletion: an interrupted deletion is finished at the next start. */
interface RemovalMarks {
  /** Called before the account deletes the Worker; followed by `remove`, or by `keep` if the deletion fails. */
  markRemoval(workerId: string): void;
  keep(workerId: string): void;
}

/** The settings of the program about uploaded Workers. */
export interface WorkerSite {
  /** Why uploads are impossible; undefined if they are possible. */
  readonly obstacle: string | undefined;
  /** The suffix of Workers' host names. */
  readonly domain: string | undefined;
  /** Names of Workers in the configuration. */
  readonly takenNames: readonly string[];
  /** The URL of a Worker with this host name. */
  urlOf(host: string): string;
}

export interface WorkerHost {
  readonly site: WorkerSite;
  readonly assets: AssetHost;
  readonly directories: RemovalMarks;
  readonly tails: TailHost;
  /** Why uploads are impossible now; undefined if they are possible. */
  readonly obstacle: string | undefined;
  /** Runs changes of a Worker one after the other. */
  inTurn<T>(name: string, change: () => Promise<T>): Promise<T>;
  /**
   * Stops the processes of both Workers and copies the objects; rejects with the fault if that is impossible. Their
   * requests wait until one of their versions is switched to, or they are resumed.
   */
  transfer(transfer: ObjectTransfer): Promise<void>;
  /** Runs the deployed versions of Workers whose requests wait. */
  resumeWaiting(names: readonly string[]): Promise<void>;
  /** Resolves when the code is on disk. */
  keepCode(code: ScriptCode): Promise<KeptCode>;
  readCode(digest: string): Promise<ScriptCode>;
  /** Deletes code that no version uses any more. */
  dropCode(digests: readonly string[]): Promise<void>;
  /** Throws the fault if the code does not load; the running version is not affected. */
  load(version: RunnableVersion): Promise<LoadedVersion>;
  /** The problem in a cron expression; undefined if it is valid. */
  findCronProblem(cron: string): Promise<string | undefined>;
  setCrons(name: string, crons: readonly string[]): Promise<void>;
  /** Makes the other hosts run the current deployments; resolves when they do, or do not answer. */
  spread(): Promise<void>;
  /** Stops it and deletes its objects. */
  remove(worker: { readonly id: string; readonly name: string }): Promise<void>;
}
