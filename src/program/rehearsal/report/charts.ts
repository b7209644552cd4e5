/** The charts of a report, as SVG inside the page. Each has a text alternative. */
import type { RehearsalReport, TimeSlice } from './report.ts';
import { html, type Html } from './html-text.ts';

const width = 720;

interface Bar {
  readonly label: string;
  readonly value: number;
  readonly style: string;
}

/** Horizontal bars, one below the other. */
export function drawBars(title: string, bars: readonly Bar[]): Html {
  const max = Math.max(1, ...bars.map(({ value }) => value));
  const rowHeight = 26;
  const left = 190;
  const rows = bars.map(({ label, value, style }, index) => {
    const y = index * rowHeight;
    const length = Math.round((value / max) * (width - left - 70));
    return html`<text x="${left - 8}" y="${y + 17}" text-anchor="end">${label}</text>
      <rect
        class="${style}"
        x="${left}"
        y="${y + 4}"
        width="${Math.max(length, value > 0 ? 2 : 0)}"
        height="18"
        rx="3"
      />
      <text x="${left + length + 8}" y="${y + 17}">${value}</text>`;
  });
  return html`<svg viewBox="0 0 ${width} ${bars.length * rowHeight}" role="img" aria-label="${title}">
    ${rows}
  </svg>`;
}

export function drawVerdicts({ verdicts }: RehearsalReport): Html {
  const actions = [...new Set([...Object.keys(verdicts.before), ...Object.keys(verdicts.after)])].toSorted();
  const bars = actions.flatMap((action): Bar[] => [
    { label: `${action}, before`, value: verdicts.before[action] ?? 0, style: 'before' },
    { label: `${action}, after`, value: verdicts.after[action] ?? 0, style: 'after' },
  ]);
  return drawBars('Requests by verdict, before and after', bars);
}

/** Requests over time, with the changed ones in the foreground. */
export function drawTimeSlices(slices: readonly TimeSlice[]): Html {
  const height = 120;
  const max = Math.max(1, ...slices.map(({ requests }) => requests));
  const step = width / Math.max(slices.length, 1);
  const columns = slices.map(({ start, requests, changed }, index) => {
    const x = Math.round(index * step);
    const bar = Math.max(1, Math.floor(step) - 1);
    const all = Math.ceil((requests / max) * height);
    const part = Math.ceil((changed / max) * height);
    return html`<g
      ><title>${start}: ${changed} of ${requests} change</title>
      <rect class="all" x="${x}" y="${height - all}" width="${bar}" height="${all}" />
      <rect class="after" x="${x}" y="${height - part}" width="${bar}" height="${part}"
    /></g>`;
  });
  const label = 'Requests over time, and those that change';
  return html`<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">${columns}</svg>`;
}
