/** Firewall rules in the order in which requests meet them, and the filters that they refer to. */
import './firewall-rules.css';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { zoneQuery } from '../../api/queries.ts';
import type { Zone } from '../../api/types.ts';
import { Button } from '../../parts/button.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { FilterEditor } from './filter-editor.tsx';
import { FilterList } from './filter-list.tsx';
import { RuleEditor } from './editor/rule-editor.tsx';
import { RuleBoard } from './rule-board.tsx';
import { filtersQuery, rulesQuery } from './rules-api.ts';

/** What is open is in the address, so that it survives signing in again and can be sent to a colleague. */
function useOpened() {
  const { zoneId } = useParams({ from: '/signed-in/zones/$zoneId/firewall-rules' });
  const search = useSearch({ from: '/signed-in/zones/$zoneId/firewall-rules' });
  const navigate = useNavigate();
  const open = (next: typeof search): void =>
    void navigate({ to: '/zones/$zoneId/firewall-rules', params: { zoneId }, search: next });
  return { zoneId, ...search, open };
}

export function FirewallRulesPage() {
  const { zoneId, rule, filter, view, open } = useOpened();
  const zone = useQuery(zoneQuery(zoneId));
  const rules = useQuery(rulesQuery(zoneId));
  const filters = useQuery(filtersQuery(zoneId));
  const failed = [zone, rules, filters].find((query) => query.isError && query.data === undefined);
  if (failed !== undefined) {
    return (
      <>
        <PageHead title="Firewall rules" />
        <Failed error={failed.error} onRetry={() => void failed.refetch()} />
      </>
    );
  }
  if (zone.data === undefined || rules.data === undefined || filters.data === undefined) {
    return (
      <>
        <PageHead title="Firewall rules" about=" " />
        <Loading rows={6} />
      </>
    );
  }
  const known = { zone: zone.data, rules: rules.data, filters: filters.data };
  if (rule !== undefined) {
    return (
      <RuleEditor key={rule} zone={known.zone} rules={known.rules} ruleId={rule} onClose={() => open({})} />
    );
  }
  if (filter !== undefined) {
    return (
      <FilterEditor key={filter} {...known} filterId={filter} onClose={() => open({ view: 'filters' })} />
    );
  }
  return <Lists {...known} view={view ?? 'rules'} open={open} />;
}

type Opened = ReturnType<typeof useOpened>;

interface ListsProps {
  readonly zone: Zone;
  readonly rules: Parameters<typeof RuleBoard>[0]['rules'];
  readonly filters: Parameters<typeof FilterList>[0]['filters'];
  readonly view: 'rules' | 'filters';
  readonly open: Opened['open'];
}

function Lists({ zone, rules, filters, view, open }: ListsProps) {
  return (
    <>
      <PageHead
        title="Firewall rules"
        about={`What happens to requests to ${zone.name}: rules are tried from top to bottom, and the first that blocks, challenges or allows decides.`}
      >
        {view === 'rules' ? (
          <Button look="primary" onClick={() => open({ rule: 'new' })}>
            Create a rule
          </Button>
        ) : (
          <Button look="primary" onClick={() => open({ view, filter: 'new' })}>
            Create a filter
          </Button>
        )}
      </PageHead>
      <div className="firewall-rules-views" role="group" aria-label="What to show">
        <Button aria-pressed={view === 'rules'} onClick={() => open({})}>
          Rules ({rules.length})
        </Button>
        <Button aria-pressed={view === 'filters'} onClick={() => open({ view: 'filters' })}>
          Filters ({filters.length})
        </Button>
      </div>
      {view === 'rules' ? (
        <RuleBoard zone={zone} rules={rules} onEdit={(id) => open({ rule: id })} />
      ) : (
        <FilterList
          zone={zone}
          rules={rules}
          filters={filters}
          onEdit={(id) => open({ view, filter: id })}
          onEditRule={(id) => open({ rule: id })}
        />
      )}
    </>
  );
}
