import{c as s,d as c,e as d,h,i,j as p}from"./chunk-WHMLTMNT.js";var m="\u2013";function f(t){return t==null?m:t<9.95?`${Number(t.toFixed(t<.995?2:1))} ms`:t<999.5?`${Math.round(t)} ms`:`${(t/1e3).toFixed(t<59995?2:1)} s`}function l(t){return t==null?m:`${(t*100).toFixed(1)} %`}function n(t){return t.toLocaleString("en-US")}function g(t,e,r=`${e}s`){return`${n(t)} ${t===1?e:r}`}function S(t){let e=new Date(t);return[e.getHours(),e.getMinutes(),e.getSeconds()].map(r=>String(r).padStart(2,"0")).join(":")}function M(t){if(t<60)return`${Math.max(0,Math.round(t))} s`;let e=Math.floor(t/60);if(e<60)return`${e} min`;let r=Math.floor(e/60);return r<24?`${r} h ${e%60} min`:`${Math.floor(r/24)} d ${r%24} h`}function F(t,e){let[r,o]=c({value:void 0,error:void 0}),u=h(async()=>{try{let a=await p(t);o({value:a,error:void 0})}catch(a){let $=a instanceof i?a:new i(String(a),0);o(({value:x})=>({value:x,error:$}))}},[t]);return d(()=>{if(u(),e===void 0)return;let a=setInterval(()=>document.hidden||void u(),e);return()=>clearInterval(a)},[u,e]),{...r,reload:()=>void u()}}var R={model:"Model",rule:"Rule",mode:"Mode"},b=[{title:"Requests",hasRules:!1,of:({requests:t})=>n(t)},{title:"Errors",hasRules:!1,of:({errors:t})=>n(t)},{title:"Leak rate",hasRules:!1,of:({leakRate:t})=>l(t)},{title:"Candidates",hasRules:!0,of:({candidates:t})=>n(t)},{title:"Attempts",hasRules:!0,of:({attempts:t})=>n(t)},{title:"Success",hasRules:!0,of:({successRate:t})=>l(t)},{title:"Accepted",hasRules:!0,of:({acceptanceRate:t})=>l(t)},{title:"Repairs",hasRules:!0,of:({repairs:t})=>n(t)},{title:"Near misses",hasRules:!1,of:({nearMisses:t})=>n(t)},{title:"First token",hasRules:!1,of:({firstMsMean:t})=>f(t)},{title:"Total",hasRules:!1,of:({durationMsMean:t})=>f(t)}];function k({kind:t,rows:e}){if(e.length===0)return s`<p class="empty">Nothing yet.</p>`;let r=b.filter(({hasRules:o})=>o||t!=="rule");return s`
    <div class="wide" tabindex="0" role="region" aria-label=${`Figures by ${t}`}>
      <table>
        <thead>
          <tr>
            <th scope="col">${R[t]}</th>
            ${r.map(({title:o})=>s`<th scope="col" class="number">${o}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${e.map(o=>s`
              <tr key=${o.name}>
                <th scope="row">${o.name}</th>
                ${r.map(({of:u})=>s`<td class="number">${u(o)}</td>`)}
              </tr>
            `)}
        </tbody>
      </table>
    </div>
  `}export{m as a,f as b,l as c,n as d,g as e,S as f,M as g,F as h,k as i};
