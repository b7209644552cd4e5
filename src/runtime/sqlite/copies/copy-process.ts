/** The process of `copyDatabaseAside`: copies the first argument to the second, and reports what is wrong with it. */
import { copyDatabase, NotADatabaseError } from './copy-database.ts';

const [from, to] = process.argv.slice(2) as [string, string];
try {
  copyDatabase(from, to);
} catch (error) {
  if (!(error instanceof NotADatabaseError)) throw error;
  process.stdout.write(error.problem);
}
