/** The stateful objects of this program: which there are, and each with what it holds and held. */
import './objects.css';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { accountQuery } from '../../api/queries.ts';
import { getProgram } from '../../api/session.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { ObjectList } from './object-list.tsx';
import { ObjectView } from './object-view.tsx';

export function ObjectsPage() {
  const { class: className, object, at, undo, view = 'tables' } = useSearch({ from: '/signed-in/objects' });
  const account = useQuery(accountQuery);
  if (account.isPending) return <Loading />;
  if (account.isError) return <Failed error={account.error} onRetry={() => void account.refetch()} />;
  const accountId = account.data.id;
  if (object !== undefined && className !== undefined) {
    const place = { accountId, className, object };
    return <ObjectView key={`${className} ${object}`} {...{ place, at, undo, view }} />;
  }
  return (
    <>
      <PageHead
        title="Objects"
        about={
          getProgram() === 'dev'
            ? 'The Durable Objects of this Worker. Open one to see what it holds, to change it, and to go back to what it held before.'
            : 'Everything that this server knows is in stateful objects. Open one to see what it holds, and what it held before.'
        }
      />
      <ObjectList
        accountId={accountId}
        className={className}
        isAlarms={className === undefined && view === 'alarms'}
      />
    </>
  );
}
