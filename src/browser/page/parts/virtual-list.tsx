/**
 * A long list of which only the visible rows are in the document; it has its own scroll bar and rows may have any
 * height.
 */
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useRef } from 'react';

interface VirtualListProps<Item> {
  readonly label: string;
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => string;
  readonly rowHeight: number;
  readonly children: (item: Item) => ReactNode;
}

export function VirtualList<Item>({ label, items, keyOf, rowHeight, children }: VirtualListProps<Item>) {
  const frame = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => keyOf(items[index]!),
    overscan: 8,
  });
  return (
    <div
      ref={frame}
      className="virtual-list"
      style={{ height: `min(${virtualizer.getTotalSize() + 2}px, 560px, 70vh)` }}
      tabIndex={0}
      role="region"
      aria-label={label}
    >
      <ul style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, key, start }) => (
          <li
            key={key}
            ref={virtualizer.measureElement}
            data-index={index}
            aria-setsize={items.length}
            aria-posinset={index + 1}
            style={{ transform: `translateY(${start}px)` }}
          >
            {children(items[index]!)}
          </li>
        ))}
      </ul>
    </div>
  );
}
