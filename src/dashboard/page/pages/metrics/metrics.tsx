import { PageHead } from '../../parts/page-head.tsx';

export function MetricsPage() {
  return <PageHead title="Metrics" />;
}
