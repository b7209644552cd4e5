/** A small line of the last readings. For screen readers, the number beside it says the same. */
const [width, height] = [120, 28];

export function Sparkline({ values }: { readonly values: readonly (number | undefined)[] }) {
  const known = values.filter((value) => value !== undefined);
  const max = Math.max(...known, 0);
  const step = width / Math.max(values.length - 1, 1);
  const points = values.flatMap((value, index) =>
    value === undefined
      ? []
      : [
          `${(index * step).toFixed(1)},${(height - 2 - (max === 0 ? 0 : value / max) * (height - 4)).toFixed(1)}`,
        ],
  );
  return (
    <svg
      className="sparkline"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {points.length > 1 && <polyline points={points.join(' ')} />}
    </svg>
  );
}
