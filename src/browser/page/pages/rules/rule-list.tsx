/**
 * The rules in order, of which only the visible ones are in the document. A rule is moved by dragging its handle, or
 * with the keyboard: Enter or Space on the handle lifts it, arrows move it, Enter or Space drops it, Escape cancels.
 */
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type ComponentProps,
  type KeyboardEvent,
  type PointerEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Button } from '../../parts/button.tsx';
import { useInnerWidth } from '../../parts/use-width.ts';
import { type ListedRule, moveItem, nameOf } from './listed-rule.ts';
import { RuleRow } from './rule-row.tsx';

interface RuleListProps extends Pick<
  ComponentProps<typeof RuleRow>,
  'isMovable' | 'onChoose' | 'onEdit' | 'onPause' | 'onDelete'
> {
  readonly rules: readonly ListedRule[];
  /** The ids of the selected rules. */
  readonly chosen: ReadonlySet<string>;
  readonly onMove: (from: number, to: number) => Promise<unknown>;
}

/**
 * The content beside the name of a rule when the list has at least this width, and the height of its rows: effects and
 * buttons, only buttons, nothing. All rows have the same height, so that a thousand of them can be placed without
 * measuring each.
 */
const layouts = [
  { beside: 'all', widthMin: 800, rowHeight: 66 },
  { beside: 'buttons', widthMin: 460, rowHeight: 112 },
  { beside: 'nothing', widthMin: 0, rowHeight: 172 },
] as const;

interface Moving {
  readonly id: string;
  readonly to: number;
  readonly by: 'keyboard' | 'pointer';
  /** It was dropped, and is being saved. */
  readonly isDropped?: true;
}

export function RuleList({ rules, chosen, onMove, ...row }: RuleListProps) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useInnerWidth(frame);
  const { beside, rowHeight } = layouts.find(({ widthMin }) => width >= widthMin)!;
  const virtual = useVirtualizer({
    count: rules.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 8,
  });
  useLayoutEffect(() => virtual.measure(), [virtual, rowHeight]);
  const mover = useMover({ rules, frame, rowHeight, onMove, show: (index) => virtual.scrollToIndex(index) });
  const { moving, shown } = mover;
  return (
    <>
      <p id="rules-move-help" className="visually-hidden">
        Press Enter to lift the rule, the arrow keys to move it, Enter to put it down, Escape to cancel.
      </p>
      <MoveBar mover={mover} rules={rules} />
      <div ref={frame} className="rules-frame">
        <ol className="rules-list" data-beside={beside} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const rule = shown[index]!;
            return (
              <RuleRow
                key={rule.id}
                {...row}
                rule={rule}
                position={index + 1}
                count={rules.length}
                style={{ height: rowHeight, transform: `translateY(${start}px)` }}
                isChosen={chosen.has(rule.id)}
                isMoving={moving?.to === index}
                handle={{
                  onKeyDown: (event) => mover.onKey(event, index),
                  onPointerDown: (event) => mover.onGrab(event, index),
                  onPointerMove: mover.onDrag,
                  onPointerUp: mover.onRelease,
                  onPointerCancel: mover.cancel,
                }}
              />
            );
          })}
        </ol>
      </div>
    </>
  );
}

interface MoverOptions {
  readonly rules: readonly ListedRule[];
  readonly frame: { readonly current: HTMLElement | null };
  readonly rowHeight: number;
  readonly onMove: RuleListProps['onMove'];
  readonly show: (index: number) => void;
}

function useMover({ rules, frame, rowHeight, onMove, show }: MoverOptions) {
  const [lifted, setMoving] = useState<Moving>();
  // Found by id: the rules are read again while a move is saved, and then already have the new order.
  const from = rules.findIndex(({ id }) => id === lifted?.id);
  const moving = from === -1 ? undefined : lifted;
  const shown = moving === undefined ? rules : moveItem(rules, from, moving.to);
  useLayoutEffect(() => {
    // The row has moved in the document: the keyboard focus follows it.
    if (moving?.by === 'keyboard') focusHandle(frame.current, moving.id);
  }, [frame, moving]);

  const lift = (index: number, by: Moving['by']): void => setMoving({ id: rules[index]!.id, to: index, by });
  const moveTo = (to: number): void => {
    const place = Math.max(0, Math.min(rules.length - 1, to));
    if (moving === undefined || moving.isDropped === true || place === moving.to) return;
    setMoving({ ...moving, to: place });
    show(place);
  };
  const drop = async (): Promise<void> => {
    if (moving === undefined || moving.isDropped === true) return;
    if (from !== moving.to) {
      setMoving({ ...moving, isDropped: true });
      await onMove(from, moving.to);
    }
    setMoving(undefined);
  };
  const onKey = (event: KeyboardEvent, index: number): void => {
    const steps: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1, PageUp: -10, PageDown: 10 };
    const isDrop = event.key === 'Enter' || event.key === ' ';
    if (moving === undefined && !isDrop) return;
    if (isDrop && moving === undefined) lift(index, 'keyboard');
    else if (isDrop) void drop();
    else if (event.key === 'Escape') setMoving(moving?.isDropped === true ? moving : undefined);
    else if (steps[event.key] !== undefined) moveTo(moving!.to + steps[event.key]!);
    else return;
    event.preventDefault();
  };
  const onGrab = (event: PointerEvent<HTMLElement>, index: number): void => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    lift(index, 'pointer');
  };
  const onDrag = (event: PointerEvent): void => {
    if (moving?.by !== 'pointer' || moving.isDropped === true) return;
    const { top } = frame.current!.getBoundingClientRect();
    moveTo(Math.floor((event.clientY - top + frame.current!.scrollTop) / rowHeight));
  };
  const onRelease = (): void => void (moving?.by === 'pointer' && drop());
  const cancel = (): void => setMoving((now) => (now?.isDropped === true ? now : undefined));
  return { moving, from, shown, onKey, onGrab, onDrag, onRelease, drop, cancel };
}

function focusHandle(frame: HTMLElement | null, ruleId: string): void {
  frame?.querySelector<HTMLElement>(`[data-rule="${CSS.escape(ruleId)}"] .rules-handle`)?.focus();
}

interface MoveBarProps {
  readonly mover: ReturnType<typeof useMover>;
  readonly rules: readonly ListedRule[];
}

/** Shows the position of the rule, also to screen readers; and drops it without a keyboard. */
function MoveBar({ mover: { moving, from, drop, cancel }, rules }: MoveBarProps) {
  return (
    <div className="note row row-apart rules-moving" aria-live="assertive" hidden={moving === undefined}>
      {moving !== undefined && (
        <>
          <span>
            Moving “{nameOf(rules[from]!).slice(0, 60)}”: position {(moving.to + 1).toLocaleString()} of{' '}
            {rules.length.toLocaleString()}.
          </span>
          {moving.by === 'keyboard' && (
            <span className="row">
              <Button look="primary" onClick={() => void drop()}>
                Put it here
              </Button>
              <Button onClick={cancel}>Cancel</Button>
            </span>
          )}
        </>
      )}
    </div>
  );
}
