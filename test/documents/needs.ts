/** Blocks that `npm run verify -- documents` does not run, with the missing requirement of each. */

interface Need {
  readonly page: string;
  /** The first line of the block, or enough of it to distinguish it from the others of the page. */
  readonly begins: string;
  readonly needs: string;
  /** Why, or what runs it instead. */
  readonly because: string;
}

const clonePackages = 'a sweep of its own, with packages from npm';
const cluster = 'PostgreSQL, and other machines';
const machine = 'another machine, or root on this one';

export const needs: readonly Need[] = [
  {
    page: 'docs/build/objects.md',
    begins: 'npx node app.ts',
    needs: 'the package of npm pack',
    because: 'test/package/package.test.ts runs it',
  },
  {
    page: 'docs/build/simulation-samples.md',
    begins: 'npm run verify -- simulate:planted',
    needs: clonePackages,
    because: 'it is a sweep: npm run verify -- simulate:planted',
  },
  {
    page: 'docs/build/simulation.md',
    begins: 'gatehouse simulate ./project',
    needs: 'a project of the reader',
    because: 'test/simulator/documented-story.test.ts runs the story of the page',
  },
  {
    page: 'docs/build/wrangler-deploy.md',
    begins: 'mkdir hello',
    needs: 'Wrangler from npm',
    because: 'npm run verify -- wrangler deploys with it',
  },
  {
    page: 'docs/build/wrangler-deploy.md',
    begins: 'npx wrangler tail',
    needs: 'Wrangler from npm',
    because: 'npm run verify -- wrangler tails with it',
  },
  {
    page: 'docs/operate/cluster.md',
    begins: 'export GATEHOUSE_CLUSTER=',
    needs: cluster,
    because: 'test/cluster/serve.test.ts starts two hosts on one database',
  },
  {
    page: 'docs/operate/cluster.md',
    begins: 'install -D -m 600',
    needs: cluster,
    because: 'it names addresses of the reader',
  },
  {
    page: 'docs/operate/cluster.md',
    begins: 'gatehouse cluster status --cluster-file',
    needs: cluster,
    because: 'test/cluster/serve.test.ts asks a cluster for its status',
  },
  {
    page: 'docs/operate/cluster.md',
    begins: 'systemctl stop gatehouse',
    needs: cluster,
    because: 'it moves the data of a systemd service',
  },
  {
    page: 'docs/operate/deployment.md',
    begins: 'gatehouse protect shop.example --origin http://127.0.0.1:3000 --acme',
    needs: 'a real domain',
    because:
      "Let's Encrypt asks at the address of the name; npm run verify -- pebble orders from a test authority",
  },
  {
    page: 'docs/operate/terraform.md',
    begins: 'gatehouse terraform generate shop.example --provider 4',
    needs: 'Terraform providers',
    because: 'npm run verify -- clients follows the procedure with three versions',
  },
  {
    page: 'docs/operate/terraform.md',
    begins: 'terraform state rm -dry-run',
    needs: 'Terraform providers',
    because: 'npm run verify -- clients follows the procedure with three versions',
  },
  {
    page: 'docs/operate/terraform.md',
    begins: 'gatehouse terraform import-blocks shop.example --provider 4',
    needs: 'Terraform providers',
    because: 'npm run verify -- clients follows the procedure with three versions',
  },
  {
    page: 'docs/reference/clients.md',
    begins: 'npm run clients',
    needs: clonePackages,
    because: 'it is a sweep: npm run verify -- clients',
  },
  {
    page: 'docs/reference/conformance.md',
    begins: 'npm run conformance -- --filter',
    needs: clonePackages,
    because: 'it is a sweep: npm run verify -- conformance',
  },
  {
    page: 'docs/reference/conformance.md',
    begins: 'npm run verify -- conformance:bindings',
    needs: clonePackages,
    because: 'it is a sweep: npm run verify -- conformance:bindings',
  },
  {
    page: 'docs/reference/design.md',
    begins: 'npm run verify -- pictures',
    needs: clonePackages,
    because: 'it is a sweep: npm run verify -- pictures',
  },
  {
    page: 'docs/rules/embedding.md',
    begins: 'curl -i http://localhost:8080/admin',
    needs: 'the package of npm pack',
    because: 'test/embed/middleware.test.ts asks such servers',
  },
  {
    page: 'docs/rules/owasp.md',
    begins: 'gatehouse crs install',
    needs: 'rules from Debian',
    because: 'npm run verify -- crs runs with them',
  },
  {
    page: 'docs/rules/owasp.md',
    begins:
      'curl -s -X PUT -H "$AUTHORIZATION" "$API/zones/$ZONE/edge" -H \'Content-Type: application/json\' -d \'{"unconfirmed_scores"',
    needs: 'rules from Debian',
    because: 'its server is that of the first block',
  },
  {
    page: 'docs/rules/owasp.md',
    begins:
      'curl -s -X PUT -H "$AUTHORIZATION" "$API/zones/$ZONE/edge" -H \'Content-Type: application/json\' -d \'{"response_rules"',
    needs: 'rules from Debian',
    because: 'its server is that of the first block',
  },
  {
    page: 'docs/start/installation.md',
    begins: './gatehouse serve\n',
    needs: 'the single file',
    because: 'npm run verify -- executable makes and runs it',
  },
  {
    page: 'docs/start/installation.md',
    begins: 'sudo apt-get install',
    needs: machine,
    because: 'it installs a Debian package; npm run verify -- executable makes it and looks into it',
  },
  {
    page: 'docs/start/installation.md',
    begins: 'sudo npm install -g',
    needs: machine,
    because: 'it installs for all users; test/package/package.test.ts installs the package in a project',
  },
  {
    page: 'docs/start/installation.md',
    begins: 'npm install -g --prefix',
    needs: 'the package of npm pack',
    because: 'test/package/package.test.ts installs it in a project',
  },
  {
    page: 'docs/start/installation.md',
    begins: 'sudo mkdir -p /etc/gatehouse',
    needs: machine,
    because: 'it installs a systemd service; test/package/package.test.ts has systemd check the unit',
  },
  {
    page: 'docs/start/installation.md',
    begins: 'docker build',
    needs: 'Docker',
    because: 'npm run verify -- executable builds the image in its steps',
  },
  {
    page: 'docs/start/installation.md',
    begins: 'docker run --rm',
    needs: 'Docker',
    because: 'npm run verify -- executable runs the image',
  },
];
