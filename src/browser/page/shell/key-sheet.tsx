/** All keys, on one sheet. */
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/forms/dialog.tsx';
import { commandKey, useReachablePages } from './keys.ts';

type Keys = readonly (readonly [keys: readonly string[], what: string])[];

const everywhere: Keys = [
  [[commandKey, 'K'], 'Go to a page or a site, or press a button of this page'],
  [['?'], 'Show this sheet'],
  [['/'], 'Search on this page'],
  [['c'], 'Create what this page lists'],
  [['Esc'], 'Close what is open'],
  [['Tab'], 'To the next field or button; Enter presses it'],
];

const inLists: Keys = [
  [['j'], 'Next event of the activity log'],
  [['k'], 'Previous event'],
  [['Space'], 'Lift or drop the focused firewall rule'],
  [['↑', '↓'], 'Move the rule that is lifted'],
  [[commandKey, 'Enter'], 'Run the query of an object'],
];

export function KeySheet({ zoneId, onClose }: { readonly zoneId: string | undefined; onClose: () => void }) {
  const pages = useReachablePages(zoneId).map(({ key, label }) => [['g', key], label] as const);
  return (
    <Dialog title="Keys" onClose={onClose} isWide>
      <div className="grid grid-wide">
        <KeyList title="Everywhere" keys={everywhere} />
        <KeyList title="Go to" keys={pages} />
        <KeyList title="In lists and editors" keys={inLists} />
      </div>
      <div className="dialog-actions">
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}

function KeyList({ title, keys }: { readonly title: string; readonly keys: Keys }) {
  return (
    <section>
      <h3>{title}</h3>
      <dl className="key-list">
        {keys.map(([combination, what]) => (
          <div key={what}>
            <dt>
              {combination.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
