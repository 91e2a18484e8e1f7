function r(n){let e={};for(let o in n){let t=n[o];t!==void 0&&(e[o]=t)}return e}export{r as a};
