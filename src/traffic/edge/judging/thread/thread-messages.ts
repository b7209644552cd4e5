/** The messages between the main thread of an edge and its judging thread. */
import type { WorkNotes } from '#work';
import type { CoreRules } from '#seclang';
import type { Judged } from '#events';
import type { Judgement, OriginResponse, ZoneConfiguration } from '#firewall';
import type { GeoCopy } from '../geo.ts';
import type { ReadRequest } from '../judged-request.ts';

/** The data that the thread starts with. */
export interface JudgingThreadData {
  readonly coreRules: CoreRules | undefined;
  /** The number of the job that is being judged, 0 for none. */
  readonly words: SharedArrayBuffer;
}

/** With a response, the request is judged again first, for its results, and then the response. */
export interface ThreadRequest extends Omit<ReadRequest, 'geo'> {
  readonly geo: GeoCopy;
  readonly response?: OriginResponse;
}

export interface ThreadRuling {
  /** Without filters and rules that wait for the response: neither can be sent. */
  readonly judgement: Judgement;
  readonly awaitsResponse: boolean;
  /** Absent if no rule acted. */
  readonly explanation?: Judged;
}

export type ToThread =
  | { readonly kind: 'zone'; readonly zone: number; readonly configuration: ZoneConfiguration }
  | { readonly kind: 'forget'; readonly zone: number }
  | { readonly kind: 'judge'; readonly job: number; readonly zone: number; readonly request: ThreadRequest };

export type FromThread =
  /** The main thread can read the current zone and rule from `notes` while the job runs. */
  | { readonly kind: 'started'; readonly notes: WorkNotes }
  | { readonly kind: 'compiled'; readonly zone: number; readonly problem: string | undefined }
  | { readonly kind: 'judged'; readonly job: number; readonly ruling: ThreadRuling }
  | { readonly kind: 'failed'; readonly job: number; readonly problem: string };
