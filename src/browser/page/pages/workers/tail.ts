/** Follows the logs of a Worker: the API creates a tail, whose events arrive over a WebSocket. */
import { useEffect, useState } from 'react';
import { client, resultOf } from '../../api/client.ts';
import { describeError } from '../../api/api-error.ts';
import { scriptPath, type WorkerNames } from './worker-queries.ts';

export interface TailEvent {
  /** Assigned in this window, in order of arrival. */
  readonly key: number;
  readonly outcome: string;
  readonly eventTimestamp: number;
  readonly scriptVersion: { readonly id: string };
  readonly cpuTime: number;
  readonly wallTime: number;
  readonly logs: readonly { readonly level: string; readonly message: readonly unknown[] }[];
  readonly exceptions: readonly {
    readonly name: string;
    readonly message: string;
    readonly stack?: string;
  }[];
  readonly event: {
    readonly request?: { readonly url: string; readonly method: string };
    readonly response?: { readonly status: number };
    readonly cron?: string;
    readonly queue?: string;
    readonly batchSize?: number;
  };
}

export type TailState =
  | { readonly kind: 'off' }
  | { readonly kind: 'connecting' }
  | { readonly kind: 'open' }
  | { readonly kind: 'ended'; readonly reason: string };

/** The most events that are kept; older ones are dropped. */
const eventsMax = 500;

export function useTail(names: WorkerNames, isOn: boolean, filters: readonly object[]) {
  const [events, setEvents] = useState<readonly TailEvent[]>([]);
  const [state, setState] = useState<TailState>({ kind: 'off' });
  const { account_id, script_name } = names;
  // Compared by content, because callers create a new object on each render.
  const wanted = JSON.stringify(filters);
  useEffect(() => {
    if (!isOn) return setState({ kind: 'off' });
    const end = new AbortController();
    setState({ kind: 'connecting' });
    void follow({
      names: { account_id, script_name },
      filters: JSON.parse(wanted) as readonly object[],
      signal: end.signal,
      onState: setState,
      onEvent: (event) => setEvents((before) => [event, ...before].slice(0, eventsMax)),
    });
    return () => end.abort();
  }, [account_id, script_name, isOn, wanted]);
  return { events, state, clear: () => setEvents([]) };
}

interface Following {
  readonly names: WorkerNames;
  readonly filters: readonly object[];
  readonly signal: AbortSignal;
  readonly onState: (state: TailState) => void;
  readonly onEvent: (event: TailEvent) => void;
}

let lastKey = 0;

async function follow({ names, filters, signal, onState, onEvent }: Following): Promise<void> {
  try {
    const made = await resultOf(client.post(`${scriptPath}/tails`, { ...names, body: { filters }, signal }));
    // The page may be behind a proxy that the server does not know.
    const { protocol, host } = globalThis.location;
    const address = `${protocol === 'https:' ? 'wss:' : 'ws:'}//${host}${new URL(made.url).pathname}`;
    const socket = new WebSocket(address, 'trace-v1');
    signal.addEventListener('abort', () => socket.close());
    socket.addEventListener('open', () => onState({ kind: 'open' }));
    socket.addEventListener('message', ({ data }) =>
      onEvent({ ...(JSON.parse(String(data)) as Omit<TailEvent, 'key'>), key: ++lastKey }),
    );
    socket.addEventListener('close', () => {
      if (!signal.aborted) onState({ kind: 'ended', reason: 'the connection has ended' });
    });
  } catch (error) {
    if (!signal.aborted) onState({ kind: 'ended', reason: describeError(error) });
  }
}
