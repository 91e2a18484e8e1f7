/** The Markdown pages of a package, which has fewer files than the repository. @module */

/** A link or a picture whose target is a path. */
const LINK = /(!?)\[([^\]]*)\]\((?![a-z]+:|#)([^)#\s]+)[^)]*\)/g;

/** The page with the text of each link to a file that the package doesn't have, and without such pictures. */
export function packagedPage(markdown: string, isPackaged: (path: string) => boolean): string {
  return markdown.replace(LINK, (link: string, picture: string, text: string, path: string) => {
    if (isPackaged(path)) return link;
    return picture === "" ? text : "";
  });
}
