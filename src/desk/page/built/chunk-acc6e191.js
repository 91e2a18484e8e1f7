import{c as l,d as R,e as p,f,h as b,j as d,k as i,l as s,p as m,r as $}from"./chunk-a2c9052e.js";function T(e,a){let[u,t]=R({value:void 0,error:void 0}),o=f(!1),c=f(e);c.current=e;let n=b(async()=>{try{let r=await $(e);o.current=!1,c.current===e&&t({value:r,error:void 0})}catch(r){let h=r instanceof m?r:new m(String(r),0);o.current=h.status===401,c.current===e&&t(({value:v})=>({value:v,error:h}))}},[e]);return p(()=>{if(n(),a===void 0)return;let r=setInterval(()=>document.hidden||o.current||void n(),a);return()=>clearInterval(r)},[n,a]),{...u,reload:()=>void n()}}var y={model:"Model",rule:"Rule",mode:"Mode",wire:"API",key:"Client key",upstream:"Upstream"},g=[{title:"Requests",hasRules:!1,of:({requests:e})=>s(e)},{title:"Errors",hasRules:!1,of:({errors:e})=>s(e)},{title:"Printed calls as text",hasRules:!1,of:({printedAsTextRate:e})=>i(e)},{title:"Reached the agent as text",hasRules:!0,of:({reachedAsText:e})=>s(e)},{title:"Candidates",hasRules:!0,of:({candidates:e})=>s(e)},{title:"Attempts",hasRules:!0,of:({attempts:e})=>s(e)},{title:"Success",hasRules:!0,of:({successRate:e})=>i(e)},{title:"Accepted",hasRules:!0,of:({acceptanceRate:e})=>i(e)},{title:"Repairs",hasRules:!0,of:({repairs:e})=>s(e)},{title:"Near misses",hasRules:!1,of:({nearMisses:e})=>s(e)},{title:"Tokens",hasRules:!1,of:({tokens:e})=>s(e)},{title:"First token",hasRules:!1,of:({firstMsMean:e})=>d(e)},{title:"Total",hasRules:!1,of:({durationMsMean:e})=>d(e)}];function I({kind:e,rows:a}){if(a.length===0)return l`<p class="empty">Nothing yet.</p>`;let u=g.filter(({hasRules:t})=>t||e!=="rule");return l`
    <div class="wide" tabindex="0" role="region" aria-label=${`Figures by ${e}`}>
      <table>
        <thead>
          <tr>
            <th scope="col">${y[e]}</th>
            ${u.map(({title:t})=>l`<th scope="col" class="number">${t}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${a.map(t=>l`
              <tr key=${t.name}>
                <th scope="row">${t.name}</th>
                ${u.map(({of:o})=>l`<td class="number">${o(t)}</td>`)}
              </tr>
            `)}
        </tbody>
      </table>
    </div>
  `}export{T as a,I as b};
