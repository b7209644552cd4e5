import { PageHead } from '../../parts/page-head.tsx';

export function ManagedRulesPage() {
  return <PageHead title="Managed rules" />;
}
