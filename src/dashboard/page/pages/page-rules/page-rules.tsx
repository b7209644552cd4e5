import { PageHead } from '../../parts/page-head.tsx';

export function PageRulesPage() {
  return <PageHead title="Page rules" />;
}
