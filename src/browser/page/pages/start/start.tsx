/** The start page: a question, and the way from its answer to the first result. */
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Card } from '../../parts/card.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Command } from '../../parts/reading/command.tsx';
import { goals, type Goal, Question } from './question.tsx';
import { ProtectWalk } from './protect-walk.tsx';

const route = getRouteApi('/signed-in/account/start');

export function StartPage() {
  const { goal } = route.useSearch();
  return (
    <div className="stack">
      <PageHead title="What do you want to do?" about="You can come back here at any time." />
      <Question goal={goal} />
      {goal === 'protect' && <ProtectWalk />}
      {goal !== undefined && goal !== 'protect' && <Way goal={goal} />}
    </div>
  );
}

const ways: Readonly<Record<Exclude<Goal, 'protect'>, readonly (readonly [ReactNode, string])[]>> = {
  migrate: [
    [
      'Add the site, with the plan that it has.',
      'gatehouse zones create --name shop.example && gatehouse zones update shop.example --plan pro',
    ],
    [
      'Import its configuration, as written by gatehouse zones export; Terraform and the SDK work, too.',
      'gatehouse zones import shop.example --file zone.json',
    ],
    [
      'See what the legacy rules become, and what prevents the migration.',
      'gatehouse migrate plan shop.example',
    ],
    [
      'Migrate a copy, replay recorded traffic through both, and read every verdict that changes.',
      'gatehouse migrate rehearse shop.example --traffic access.log',
    ],
  ],
  worker: [
    ['In the folder of a Wrangler project: run it, with its objects on disk.', 'gatehouse dev'],
    ['When it is ready, run it in production, or upload it to this server.', 'gatehouse run .'],
    [
      'Point Wrangler at this server and deploy.',
      'eval "$(gatehouse env --for wrangler --ready-file ready.json)" && npx wrangler deploy',
    ],
  ],
  look: [
    [
      'A separate server, which deletes its data when it stops. It prints a link that signs you in.',
      'gatehouse demo',
    ],
  ],
};

function Way({ goal }: { readonly goal: Exclude<Goal, 'protect'> }) {
  return (
    <Card title={goals[goal][0]}>
      <ol className="stack">
        {ways[goal].map(([words, command]) => (
          <li key={command}>
            <div className="stack-close">
              <span>{words}</span>
              <Command text={command} />
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
}
