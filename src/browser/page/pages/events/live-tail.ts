/**
 * Live events. The memory is bounded: the newest `eventsMax` are shown. While paused, the stream stays open and the
 * newest events wait. A broken stream is opened again.
 */
import { useEffect, useRef, useState } from 'react';
import { readServerEvents } from '#client';
import { client } from '../../api/client.ts';
import type { EventSearch } from '../../api/events.ts';
import type { SecurityEvent } from '../../api/types.ts';

export interface LiveTail {
  readonly state: 'off' | 'connecting' | 'live' | 'lost';
  readonly events: readonly SecurityEvent[];
  readonly isPaused: boolean;
  readonly setIsPaused: (isPaused: boolean) => void;
  /** Events that arrived while paused. */
  readonly waiting: number;
  /** Events that the server dropped because this page read too slowly. */
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
      zoneId,
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
  readonly zoneId: string;
  readonly query: Pick<EventSearch, 'where' | 'expression'>;
  readonly signal: AbortSignal;
  readonly onState: (state: LiveTail['state']) => void;
  readonly onEvent: (event: SecurityEvent) => void;
  readonly onMissed: (count: number) => void;
}

async function watch({ zoneId, query, signal, onState, onEvent, onMissed }: Watch): Promise<void> {
  onState('connecting');
  while (!signal.aborted) {
    try {
      const response = await client.stream('/zones/{zone_id}/security/events/tail', {
        zone_id: zoneId,
        query,
        signal,
      });
      onState('live');
      for await (const { event, data } of readServerEvents(response)) {
        if (event === 'missed') onMissed(JSON.parse(data).count);
        // Too many streams are open: the next attempt may succeed.
        else if (event === 'refused') break;
        else onEvent(JSON.parse(data));
      }
    } catch {
      // The reader sees that the connection is lost; the reason is irrelevant for the retry.
    }
    if (signal.aborted) return;
    onState('lost');
    await new Promise((resolve) => setTimeout(resolve, reconnectMs));
  }
}
