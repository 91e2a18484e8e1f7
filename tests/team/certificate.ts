/**
 * An authority and a certificate that it signed, made by openssl for one test.
 *
 * @module
 */
import { join } from "node:path";

/** The files of a server's certificate. */
export interface Certificate {
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
}

/** Makes a certificate for a name, such as `DNS:localhost`. */
export async function makeCertificate(openssl: string, folder: string, name: string): Promise<Certificate> {
  const path = (file: string) => join(folder, file);
  const run = async (...args: readonly string[]) => {
    const { success, stderr } = await new Deno.Command(openssl, { args: [...args], cwd: folder }).output();
    if (!success) throw new Error(`openssl ${args[0]}: ${new TextDecoder().decode(stderr)}`);
  };
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const isAuthority = ["-addext", "basicConstraints=critical,CA:TRUE", "-subj", "/CN=an authority"];
  await run("req", "-x509", ...newKey, ...isAuthority, "-days", "2", "-keyout", "ca.key", "-out", "ca.pem");
  await run("req", ...newKey, "-subj", "/CN=a store", "-keyout", "store.key", "-out", "store.csr");
  await Deno.writeTextFile(path("names"), `subjectAltName=${name}`);
  const signed = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-extfile", "names", "-days", "2"];
  await run("x509", "-req", "-in", "store.csr", ...signed, "-out", "store.pem");
  return { authority: path("ca.pem"), certificate: path("store.pem"), key: path("store.key") };
}
