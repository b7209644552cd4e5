/** For operations that the tools of the database perform and a runtime does not. */
export function refuseInCluster(what: string): Error {
  return new Error(
    `${what} is for a data directory: the objects of this runtime are in a cluster, whose database has tools of its own`,
  );
}
