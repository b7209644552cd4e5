/** Firewall rules in order of evaluation, and the filters that they refer to. */
import './firewall-rules.css';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useZone } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Resource } from '../../parts/reading/resource.tsx';
import { together } from '../../parts/reading/together.ts';
import { Empty } from '../../parts/reading/states.tsx';
import { RuleBoard } from '../rules/rule-board.tsx';
import { RuleEditor } from './editor/rule-editor.tsx';
import { FilterEditor } from './filter-editor.tsx';
import { FilterList } from './filter-list.tsx';
import {
  createChanges,
  type Filter,
  filtersQuery,
  type FirewallRule,
  rulesQuery,
  toListed,
} from './rules-api.ts';

const route = getRouteApi('/signed-in/zones/$zoneId/firewall-rules');

/** The open item is in the URL, so that it survives signing in again and can be sent to a colleague. */
function useOpened() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return { ...search, open: (next: typeof search): void => void navigate({ search: next }) };
}

export function FirewallRulesPage() {
  const { zoneId } = route.useParams();
  const { rule, filter, open } = useOpened();
  const known = together({ rules: useQuery(rulesQuery(zoneId)), filters: useQuery(filtersQuery(zoneId)) });
  return (
    <>
      {known.data === undefined && <PageHead title="Firewall rules" about=" " />}
      <Resource of={known} rows={6}>
        {({ rules, filters }) => {
          if (rule !== undefined)
            return <RuleEditor key={rule} rules={rules} ruleId={rule} onClose={() => open({})} />;
          if (filter === undefined) return <Lists rules={rules} filters={filters} />;
          const close = (): void => open({ view: 'filters' });
          return <FilterEditor key={filter} {...{ rules, filters }} filterId={filter} onClose={close} />;
        }}
      </Resource>
    </>
  );
}

interface ListsProps {
  readonly rules: readonly FirewallRule[];
  readonly filters: readonly Filter[];
}

function Lists({ rules, filters }: ListsProps) {
  const { view, open } = useOpened();
  const zone = useZone();
  const isFilters = view === 'filters';
  return (
    <>
      <PageHead
        title="Firewall rules"
        about={`What happens to requests to ${zone.name}: rules are tried from top to bottom, and the first that blocks, challenges or allows decides.`}
      >
        <Button
          look="primary"
          onClick={() => open(isFilters ? { view: 'filters', filter: 'new' } : { rule: 'new' })}
        >
          {isFilters ? 'Create a filter' : 'Create a rule'}
        </Button>
      </PageHead>
      <div className="stack">
        <div className="row" role="group" aria-label="What to show">
          <Button aria-pressed={!isFilters} onClick={() => open({})}>
            Rules ({rules.length.toLocaleString()})
          </Button>
          <Button aria-pressed={isFilters} onClick={() => open({ view: 'filters' })}>
            Filters ({filters.length.toLocaleString()})
          </Button>
        </div>
        {isFilters ? (
          <FilterList
            {...{ rules, filters }}
            onEdit={(id) => open({ view: 'filters', filter: id })}
            onEditRule={(id) => open({ rule: id })}
          />
        ) : (
          <RuleBoard
            rules={rules.map(toListed)}
            changes={createChanges(zone.id, rules)}
            onEdit={(id) => open({ rule: id })}
            none={<NoRules name={zone.name} />}
            deletion="Requests that it matched are then evaluated by the rules after it. Its filter is also deleted, unless another rule uses it."
          />
        )}
      </div>
    </>
  );
}

function NoRules({ name }: { readonly name: string }) {
  return (
    <Empty
      title="There is no firewall rule yet"
      command={`gatehouse rules create ${name} --action block --expression 'http.request.uri.path eq "/admin"'`}
    >
      A rule defines what happens to requests that match a condition. Create one to start.
    </Empty>
  );
}
