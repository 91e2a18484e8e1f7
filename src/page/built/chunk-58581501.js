import{c as a,d as h,e as p,f as m,h as $,i,j as R}from"./chunk-ddeaece2.js";var x="\u2013";function c(t){return t==null?x:t<9.95?`${Number(t.toFixed(t<.995?2:1))} ms`:t<999.5?`${Math.round(t)} ms`:`${(t/1e3).toFixed(t<59995?2:1)} s`}function f(t){return t==null?x:`${(t*100).toFixed(1)} %`}function n(t){return t.toLocaleString("en-US")}function M(t,e,r=`${e}s`){return`${n(t)} ${t===1?e:r}`}function v(t){let e=new Date(t);return[e.getHours(),e.getMinutes(),e.getSeconds()].map(r=>String(r).padStart(2,"0")).join(":")}function N(t){if(t<60)return`${Math.max(0,Math.round(t))} s`;let e=Math.floor(t/60);if(e<60)return`${e} min`;let r=Math.floor(e/60);return r<24?`${r} h ${e%60} min`:`${Math.floor(r/24)} d ${r%24} h`}function E(t,e){let[r,o]=h({value:void 0,error:void 0}),s=m(!1),l=$(async()=>{try{let u=await R(t);s.current=!1,o({value:u,error:void 0})}catch(u){let d=u instanceof i?u:new i(String(u),0);s.current=d.status===401,o(({value:b})=>({value:b,error:d}))}},[t]);return p(()=>{if(l(),e===void 0)return;let u=setInterval(()=>document.hidden||s.current||void l(),e);return()=>clearInterval(u)},[l,e]),{...r,reload:()=>void l()}}var g={model:"Model",rule:"Rule",mode:"Mode"},S=[{title:"Requests",hasRules:!1,of:({requests:t})=>n(t)},{title:"Errors",hasRules:!1,of:({errors:t})=>n(t)},{title:"Leak rate",hasRules:!1,of:({leakRate:t})=>f(t)},{title:"Candidates",hasRules:!0,of:({candidates:t})=>n(t)},{title:"Attempts",hasRules:!0,of:({attempts:t})=>n(t)},{title:"Success",hasRules:!0,of:({successRate:t})=>f(t)},{title:"Accepted",hasRules:!0,of:({acceptanceRate:t})=>f(t)},{title:"Repairs",hasRules:!0,of:({repairs:t})=>n(t)},{title:"Near misses",hasRules:!1,of:({nearMisses:t})=>n(t)},{title:"First token",hasRules:!1,of:({firstMsMean:t})=>c(t)},{title:"Total",hasRules:!1,of:({durationMsMean:t})=>c(t)}];function I({kind:t,rows:e}){if(e.length===0)return a`<p class="empty">Nothing yet.</p>`;let r=S.filter(({hasRules:o})=>o||t!=="rule");return a`
    <div class="wide" tabindex="0" role="region" aria-label=${`Figures by ${t}`}>
      <table>
        <thead>
          <tr>
            <th scope="col">${g[t]}</th>
            ${r.map(({title:o})=>a`<th scope="col" class="number">${o}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${e.map(o=>a`
              <tr key=${o.name}>
                <th scope="row">${o.name}</th>
                ${r.map(({of:s})=>a`<td class="number">${s(o)}</td>`)}
              </tr>
            `)}
        </tbody>
      </table>
    </div>
  `}export{x as a,c as b,f as c,n as d,M as e,v as f,N as g,E as h,I as i};
