/** The rows of the log. Only the visible ones are in the document, so that a hundred thousand scroll like a hundred. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type ReactNode, useCallback, useEffect, useMemo, useRef } from 'react';
import type { SecurityEvent } from '../../api/types.ts';
import { Button } from '../../parts/button.tsx';
import { ActionPill } from '../../parts/pill.tsx';
import { ClockTime, Day } from '../../parts/time.tsx';
import { useInnerWidth, useIsNarrow } from '../../parts/use-width.ts';
import { describeError } from '../../api/api-error.ts';
import { findDayStarts } from './day-starts.ts';
import { labelOf } from './fields.ts';
import type { Condition } from './search.ts';

interface EventListProps {
  readonly events: readonly SecurityEvent[];
  /** The id of the event that is open beside the list. */
  readonly opened: string | undefined;
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  readonly error: unknown;
  readonly onMore: () => void;
  readonly onAdd: (condition: Condition) => void;
  readonly onOpen: (eventId: string) => void;
}

/** The height of a row: all on one line, the request on a separate line, and on a phone a line for each value. */
const rowPixels = { one: 38, two: 62, all: 112 } as const;
/** From this width on, a path and the name of a rule fit beside the rest. */
const oneLineMin = 860;
const dayPixels = 30;
/** The next page is requested when this many rows are left below the last visible one. */
const rowsAhead = 60;

export function EventList(props: EventListProps) {
  const { events, opened, hasMore, isLoading, error, onMore } = props;
  const frame = useRef<HTMLDivElement>(null);
  const isWide = useInnerWidth(frame) >= oneLineMin;
  const lines = useIsNarrow() ? 'all' : isWide ? 'one' : 'two';
  const height = rowPixels[lines];
  const dayStarts = useMemo(() => findDayStarts(events), [events]);
  // The same functions while the rows do not change: otherwise scrolling would lay out all of them again.
  const heightOf = useCallback(
    (index: number) => height + (dayStarts.has(index) ? dayPixels : 0),
    [height, dayStarts],
  );
  const keyOf = useCallback((index: number) => events[index]!.id, [events]);
  const rows = useVirtualizer({
    count: events.length,
    getScrollElement: () => frame.current,
    estimateSize: heightOf,
    getItemKey: keyOf,
    overscan: 12,
  });
  useEffect(() => rows.measure(), [rows, heightOf]);
  const openedAt = useMemo(() => events.findIndex(({ id }) => id === opened), [events, opened]);
  useEffect(() => {
    if (openedAt >= 0) rows.scrollToIndex(openedAt, { align: 'auto' });
  }, [rows, openedAt]);
  const visible = rows.getVirtualItems();
  const last = visible.at(-1)?.index ?? 0;
  const isNearEnd = hasMore && !isLoading && error === undefined && last + rowsAhead >= events.length;
  useEffect(() => {
    if (isNearEnd) onMore();
  });
  return (
    <>
      <div
        className="activity-list"
        data-lines={lines}
        ref={frame}
        tabIndex={0}
        role="region"
        aria-label="Events"
      >
        <div role="table" aria-label="Events" aria-rowcount={hasMore ? -1 : events.length + 1}>
          <HeadRow />
          <div role="rowgroup" className="activity-rows" style={{ height: rows.getTotalSize() }}>
            {visible.map(({ key, index, start }) => (
              <EventRow
                key={key}
                {...props}
                event={events[index]!}
                index={index}
                day={dayStarts.has(index) ? events[index]!.datetime : undefined}
                style={{ height: heightOf(index), transform: `translateY(${start}px)` }}
              />
            ))}
          </div>
        </div>
      </div>
      {error !== undefined && (
        <p className="form-error row" role="alert">
          Older events could not be loaded: {describeError(error)}
          <Button onClick={onMore}>Try again</Button>
        </p>
      )}
    </>
  );
}

const columns = ['Time', 'Action', 'Address', 'Request', 'Rule'];

function HeadRow() {
  return (
    <div role="rowgroup" className="activity-head">
      <div role="row" className="activity-row" aria-rowindex={1}>
        {columns.map((column) => (
          <span key={column} role="columnheader">
            {column}
          </span>
        ))}
      </div>
    </div>
  );
}

interface EventRowProps extends Pick<EventListProps, 'opened' | 'onAdd' | 'onOpen'> {
  readonly event: SecurityEvent;
  readonly index: number;
  /** Only set for the first event of a day, which shows it. */
  readonly day: string | undefined;
  readonly style: CSSProperties;
}

function EventRow({ event, index, day, style, opened, onAdd, onOpen }: EventRowProps) {
  const { clientRequestHTTPMethodName: method, clientRequestPath: path, clientRequestQuery: query } = event;
  return (
    <div
      role="row"
      className="activity-row activity-event"
      aria-rowindex={index + 2}
      aria-current={event.id === opened}
      style={style}
    >
      <span role="cell" className={day === undefined ? undefined : 'activity-first'}>
        {day !== undefined && (
          <span className="activity-day small soft">
            <Day at={day} />
          </span>
        )}
        <button type="button" className="activity-open" onClick={() => onOpen(event.id)}>
          <ClockTime at={event.datetime} />
        </button>
      </span>
      <span role="cell">
        <Value field="action" value={event.action} onAdd={onAdd}>
          <ActionPill action={event.action} />
        </Value>
      </span>
      <span role="cell">
        <Value field="clientIP" value={event.clientIP} onAdd={onAdd} />
        {event.clientCountryName !== '' && (
          <Value field="clientCountryName" value={event.clientCountryName} onAdd={onAdd} />
        )}
      </span>
      <span role="cell" className="mono">
        <span className="soft">{method} </span>
        <Value field="clientRequestPath" value={path} onAdd={onAdd} />
        <span className="soft">{query}</span>
      </span>
      <span role="cell">
        <Value field="ruleId" value={event.ruleId} onAdd={onAdd}>
          {event.description || event.ref || event.ruleId}
        </Value>
      </span>
    </div>
  );
}

interface ValueProps {
  readonly field: string;
  readonly value: string;
  readonly onAdd: (condition: Condition) => void;
  readonly children?: ReactNode;
}

/** A value that narrows the search on click, and excludes the value with the Alt key. */
export function Value({ field, value, onAdd, children = value }: ValueProps) {
  return (
    <button
      type="button"
      className="activity-value"
      title={`${labelOf(field)}: ${value}\nClick to search for it, Alt-click to leave it out`}
      onClick={({ altKey }) => onAdd({ field, operator: altKey ? 'neq' : 'eq', value })}
    >
      {children}
    </button>
  );
}
