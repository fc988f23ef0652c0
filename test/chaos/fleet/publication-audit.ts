// The database's own record of leaders and publications, which misbehaving servers cannot change.
import pg from 'pg'

/** Installs the record in a database that no server uses yet. */
export async function installAudit(ledgerUrl: string): Promise<void> {
  await queryRows(ledgerUrl, INSTALL)
}

/** @returns versions that a server published without leading, or that were not based on the previous one */
export async function findPublicationFaults(ledgerUrl: string): Promise<string[]> {
  const published = await queryRows<{
    version: string
    base: string | null
    server: string
    leader: string
  }>(
    ledgerUrl,
    `SELECT version, base, published.server, leaders.server AS leader FROM audit.published
       LEFT JOIN (SELECT DISTINCT holder, server FROM audit.leaders) leaders USING (holder)
      ORDER BY version`,
  )
  const strangers = published
    .filter(({ server, leader }) => server !== leader)
    .map(({ version, server, leader }) => `${version} is of ${server} while ${leader} led`)
  const forks = published.slice(1).flatMap(({ version, base }, index) => {
    const before = published[index]?.version
    return base === before ? [] : [`${version} was made from ${base}, not from ${before}`]
  })
  return [...strangers, ...forks]
}

/** Counts the published versions. */
export async function countPublications(ledgerUrl: string): Promise<number> {
  const [row] = await queryRows<{ n: number }>(
    ledgerUrl,
    'SELECT count(*)::int AS n FROM audit.published',
  )
  return row?.n ?? 0
}

/** Returns the schema of the newest version. */
export async function readPublishedSchema(ledgerUrl: string): Promise<number> {
  const [row] = await queryRows<{ snapshot: string }>(
    ledgerUrl,
    'SELECT snapshot FROM catalog_versions ORDER BY version DESC LIMIT 1',
  )
  return (JSON.parse(row?.snapshot ?? '{}') as { schema: number }).schema
}

/** Returns the server that has the lease; undefined if none has. */
export async function findLeaseHolder(ledgerUrl: string): Promise<string | undefined> {
  const [row] = await queryRows<{ server: string }>(
    ledgerUrl,
    `SELECT server FROM audit.leaders JOIN job_leases USING (holder, token)
      WHERE job = 'lead the fleet' AND expires_at > extract(epoch FROM clock_timestamp()) * 1000`,
  )
  return row?.server
}

/** Ends the leader's lease early, as if the last commits had been lost. */
export async function endLease(ledgerUrl: string): Promise<void> {
  await queryRows(ledgerUrl, "UPDATE job_leases SET expires_at = 0 WHERE job = 'lead the fleet'")
}

/** Activates the pending version as if its ten minutes were over. */
export async function endWait(ledgerUrl: string): Promise<void> {
  const soon = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint + 15000'
  await queryRows(
    ledgerUrl,
    `UPDATE catalog_versions SET activate_at = ${soon} WHERE activate_at > ${soon}`,
  )
}

/** Queries the database, and retries while it is unavailable. */
async function queryRows<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  for (let tries = 0; ; tries++) {
    const client = new pg.Client(url)
    client.on('error', () => undefined)
    try {
      await client.connect()
      return (await client.query<Row>(sql)).rows
    } catch (error) {
      if (error instanceof pg.DatabaseError && !error.code?.startsWith('57')) throw error
      if (tries === TRIES_MAX) throw error
      await Bun.sleep(100)
    } finally {
      await client.end().catch(() => undefined)
    }
  }
}

const TRIES_MAX = 100

/** Servers identify themselves by `application_name`. The first version is active at once, which saves 15 s. */
const INSTALL = `
  CREATE SCHEMA audit;
  CREATE TABLE audit.leaders (holder TEXT, token BIGINT, server TEXT);
  CREATE TABLE audit.published (version BIGINT, base BIGINT, server TEXT, holder TEXT);
  CREATE FUNCTION audit.note_leader() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF TG_OP = 'INSERT' OR NEW.token <> OLD.token THEN
      INSERT INTO audit.leaders VALUES (NEW.holder, NEW.token, current_setting('application_name'));
    END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER note_leader AFTER INSERT OR UPDATE ON job_leases FOR EACH ROW
    WHEN (NEW.job = 'lead the fleet') EXECUTE FUNCTION audit.note_leader();
  CREATE FUNCTION audit.note_version() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO audit.published
      SELECT NEW.version, NEW.base, current_setting('application_name'), holder FROM job_leases WHERE job = 'lead the fleet';
    IF NEW.base IS NULL THEN NEW.activate_at := NEW.published_at; END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER note_version BEFORE INSERT ON catalog_versions FOR EACH ROW
    EXECUTE FUNCTION audit.note_version();`
