/**
 * Events as they happen. What is held is bounded: the newest `eventsMax` are shown. While it is paused, the stream stays
 * open and the newest events wait. A stream that breaks is opened again.
 */
import { useEffect, useRef, useState } from 'react';
import { openStream } from '../../api/client.ts';
import type { EventSearch } from '../../api/events.ts';
import type { SecurityEvent } from '../../api/security-event.ts';

export interface LiveTail {
  readonly state: 'off' | 'connecting' | 'live' | 'lost';
  readonly events: readonly SecurityEvent[];
  readonly isPaused: boolean;
  readonly setIsPaused: (isPaused: boolean) => void;
  /** Events that came while it was paused. */
  readonly waiting: number;
  /** Events that the server left out because this page read too slowly. */
  readonly missed: number;
}

interface TailOptions {
  readonly zoneId: string;
  readonly search: EventSearch;
  readonly isOn: boolean;
}

const eventsMax = 1_000;
const showEveryMs = 250;
const reconnectMs = 2_000;

export function useLiveTail({ zoneId, search, isOn }: TailOptions): LiveTail {
  const [state, setState] = useState<LiveTail['state']>('off');
  const [shown, setShown] = useState<readonly SecurityEvent[]>([]);
  const [waiting, setWaiting] = useState(0);
  const [missed, setMissed] = useState(0);
  const [isPaused, setIsPaused] = useState(false);
  const buffer = useRef<SecurityEvent[]>([]);
  const conditions = JSON.stringify({ where: search.where, expression: search.expression });

  useEffect(() => {
    if (!isOn) return;
    const stopped = new AbortController();
    void watch({
      path: `/zones/${zoneId}/security/events/tail`,
      query: JSON.parse(conditions),
      signal: stopped.signal,
      onState: setState,
      onEvent: (event) => {
        buffer.current.unshift(event);
        buffer.current.length = Math.min(buffer.current.length, eventsMax);
      },
      onMissed: (count) => setMissed((before) => before + count),
    });
    return () => {
      stopped.abort();
      buffer.current = [];
      setShown([]);
      setMissed(0);
      setIsPaused(false);
      setState('off');
    };
  }, [zoneId, conditions, isOn]);

  useEffect(() => {
    if (!isOn) return;
    const show = (): void => {
      setWaiting(buffer.current.length);
      if (isPaused || buffer.current.length === 0) return;
      const fresh = buffer.current;
      buffer.current = [];
      setWaiting(0);
      setShown((before) => [...fresh, ...before].slice(0, eventsMax));
    };
    show();
    const timer = setInterval(show, showEveryMs);
    return () => clearInterval(timer);
  }, [isOn, isPaused]);

  return { state, events: shown, isPaused, setIsPaused, waiting, missed };
}

interface Watch {
  readonly path: string;
  readonly query: Pick<EventSearch, 'where' | 'expression'>;
  readonly signal: AbortSignal;
  readonly onState: (state: LiveTail['state']) => void;
  readonly onEvent: (event: SecurityEvent) => void;
  readonly onMissed: (count: number) => void;
}

async function watch({ path, query, signal, onState, onEvent, onMissed }: Watch): Promise<void> {
  onState('connecting');
  while (!signal.aborted) {
    try {
      const response = await openStream(path, { query, signal });
      onState('live');
      for await (const { name, data } of readServerSentEvents(response.body!)) {
        if (name === 'missed') onMissed(JSON.parse(data).count);
        // Too many streams are open: the next try may find room.
        else if (name === 'refused') break;
        else onEvent(JSON.parse(data));
      }
    } catch {
      // The reader sees that the connection is lost; why makes no difference to what happens next.
    }
    if (signal.aborted) return;
    onState('lost');
    await new Promise((resolve) => setTimeout(resolve, reconnectMs));
  }
}

interface ServerSentEvent {
  readonly name: string;
  readonly data: string;
}

async function* readServerSentEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  let text = '';
  while (true) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value;
    const blocks = text.split('\n\n');
    text = blocks.pop()!;
    for (const block of blocks) {
      const event = parseServerSentEvent(block);
      if (event !== undefined) yield event;
    }
  }
}

/** Undefined for comments, which only show that the stream is alive. */
function parseServerSentEvent(block: string): ServerSentEvent | undefined {
  const lines = block.split('\n').map((line) => /^(\w+): ?(.*)$/.exec(line) ?? []);
  const data = lines.flatMap(([, name, value]) => (name === 'data' ? [value!] : []));
  const name = lines.find(([, each]) => each === 'event')?.[2] ?? 'message';
  return data.length === 0 ? undefined : { name, data: data.join('\n') };
}
