import { PageHead } from '../../parts/page-head.tsx';

export function MigrationPage() {
  return <PageHead title="Update to managed rulesets" />;
}
