/** What the program and a process with a Worker say to each other. */
import type { SecureContextOptions } from 'node:tls';
import type { ClusterOptions } from '#cluster';
import type { HostsPlace } from '#hosts';
import type { PausedObject } from '#objects';
import type { OutboundOptions, UploadedScript, Worker, WorkerExports } from '#workers';
import type { MetricData } from '#metrics';
import type { Project } from './version-store.ts';

/** Where requests come from: clients over HTTP or HTTPS, or our own edge. */
export type ListenerKind = 'http' | 'https' | 'edge';

export interface WorkerSetup {
  /** In logs and metrics. */
  readonly name: string;
  readonly version: number;
  /** Of the version. */
  readonly folder: string;
  /** What to build into the folder first, or what was uploaded; undefined if the folder has what was built. */
  readonly code:
    | { readonly kind: 'project'; readonly project: Project }
    | { readonly kind: 'uploaded'; readonly script: UploadedScript }
    | undefined;
  /** Of the objects. */
  readonly directory: string;
  /** The cluster that has the objects; undefined if they are in the directory. */
  readonly cluster: Omit<ClusterOptions, 'log'> | undefined;
  readonly durability: 'disk' | 'os';
  readonly retentionMs: number;
  /** Processes of the objects; 1: they live in that of the Worker. */
  readonly hosts: number;
  /** How long its modules may take to load. */
  readonly loadMsMax: number;
  readonly hostCpuMs: number;
  readonly hostStatementMs: number;
  /** Objects that ended the process before this one, if they live in it. */
  readonly paused: readonly PausedObject[];
  readonly hostBytes: number;
  /** The stores of the account; undefined if the Worker has its own. */
  readonly stores: HostsPlace | undefined;
  /** What its code may connect to. */
  readonly outbound: OutboundOptions;
  /** Networks of proxies that say who the client is. */
  readonly trustedProxies: readonly string[];
  /** One for each of the handles, in their order. */
  readonly listeners: readonly ListenerKind[];
  readonly tls: SecureContextOptions | undefined;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error';
  readonly logsRequests: boolean;
  /** Whether somebody follows what its calls do. */
  readonly isFollowed: boolean;
  /** Whether it loads its code and then waits to be told that the objects are free. */
  readonly isHeld: boolean;
  /** When the process before it has ended, if it is not held: crons that were due since are due. */
  readonly cronsSince: number | undefined;
}

export type ToWorkerProcess =
  /** With the time at which its predecessor has stopped. */
  | { readonly kind: 'open'; readonly cronsSince: number | undefined }
  /** Clients with a WebSocket are told to connect again. */
  | { readonly kind: 'retire sockets'; readonly graceMs: number }
  | { readonly kind: 'tls'; readonly context: SecureContextOptions }
  /** When the Worker is to be called from now on. */
  | { readonly kind: 'crons'; readonly crons: readonly string[] }
  | { readonly kind: 'read metrics'; readonly id: number }
  /** Whether somebody follows what its calls do from now on. */
  | { readonly kind: 'follow'; readonly isFollowed: boolean }
  /** Messages of a queue of the account. */
  | { readonly kind: 'consume'; readonly id: number; readonly batch: QueueBatch };

/** What is delivered together: the parameters of `Worker.consume`. */
export type QueueBatch = Parameters<Worker['consume']>;
export type QueueOutcome = Awaited<ReturnType<Worker['consume']>>;

export type FromWorkerProcess =
  /** The digest of a version that was built, and what its main module exports. */
  | { readonly kind: 'loaded'; readonly digest: string | undefined; readonly exports: WorkerExports }
  | {
      readonly kind: 'consumed';
      readonly id: number;
      /** Undefined if it could not be delivered. */
      readonly outcome: QueueOutcome | undefined;
    }
  /** A call that somebody follows: JSON of a `RecordedCall`, without secrets. */
  | { readonly kind: 'call'; readonly text: string }
  /** Without an id if it answers no question. */
  | {
      readonly kind: 'metrics';
      readonly id: number | undefined;
      readonly families: readonly MetricData[];
    };
