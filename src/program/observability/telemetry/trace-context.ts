/** W3C Trace Context: the ids of a trace and a span, and the field `traceparent` that carries them. */
import { randomFillSync } from 'node:crypto';

export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits: the span of the sender. */
  readonly spanId: string;
  readonly isSampled: boolean;
}

const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const charactersMax = 512;

/** Undefined if it is invalid. A later version may have additional parts at its end. */
export function parseTraceparent(text: string): TraceContext | undefined {
  if (text.length > charactersMax) return undefined;
  const [, version, traceId, spanId, flags, more] = form.exec(text) ?? [];
  if (traceId === undefined || spanId === undefined || version === 'ff') return undefined;
  if (version === '00' && more !== undefined) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags!, 16) & 1) === 1 };
}

export function formatTraceparent({ traceId, spanId, isSampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}

/** Random bytes are generated for many ids at once. */
const pool = Buffer.alloc(4_096);
let used = pool.length;

export function createTraceId(): string {
  return takeHex(16);
}

export function createSpanId(): string {
  return takeHex(8);
}

function takeHex(bytes: number): string {
  if (used + bytes > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const hex = pool.toString('hex', used, used + bytes);
  used += bytes;
  return hex;
}
