/** The question of the first page: the user's purpose. */
import './start.css';
import { Link } from '@tanstack/react-router';

export const goals = {
  protect: [
    'Protect a site',
    'Put an application behind the firewall, attack it, and see why it was stopped.',
  ],
  migrate: ['Rehearse a migration', 'See what would change if a zone moved to the new managed rules.'],
  worker: ['Run a Worker', 'Run Workers code with its objects, and reload it whenever it changes.'],
  look: ['Look around', 'Sample sites with three weeks of history and live attacks.'],
} as const;

export type Goal = keyof typeof goals;

export function Question({ goal }: { readonly goal?: Goal | undefined }) {
  return (
    <nav aria-label="What do you want to do?">
      <ul className="start-choices">
        {(Object.keys(goals) as Goal[]).map((each) => (
          <li key={each}>
            <Link
              to="/start"
              search={{ goal: each }}
              className="start-choice"
              aria-current={each === goal ? 'page' : undefined}
            >
              <strong>{goals[each][0]}</strong>
              {goals[each][1]}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
