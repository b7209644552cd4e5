/** Previews of an expression, before it is saved. */
import { Card } from '../../../parts/card.tsx';
import { LastDay } from './last-day.tsx';
import { LastRequests } from './last-requests.tsx';

/** The expression is undefined while it is not valid. */
export function TriedCards({ expression }: { readonly expression: string | undefined }) {
  return (
    <>
      <Card title="Matches in the last requests">
        <LastRequests expression={expression} />
      </Card>
      <Card title="Matches in the last day’s log">
        <LastDay expression={expression} />
      </Card>
    </>
  );
}
