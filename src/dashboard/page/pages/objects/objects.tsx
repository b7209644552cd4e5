import { PageHead } from '../../parts/page-head.tsx';

export function ObjectsPage() {
  return <PageHead title="Objects" />;
}
